/** Fired on the window by `call` when the server answers that the session is locked. */
export const LOCKED_EVENT = 'khamar:locked'
/** Fired on the window when the session is unlocked, so that waiting requests continue. */
export const UNLOCKED_EVENT = 'khamar:unlocked'
