/** Fired on the window by `call` when the server answers that the session is locked. */
export const LOCKED_EVENT = 'khamar:locked'
/** Fired on the window once the session is unlocked: what waited goes on. */
export const UNLOCKED_EVENT = 'khamar:unlocked'
