export const HAS_TERMINAL: boolean
