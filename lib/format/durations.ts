// For the server: a browser page would load a file for these few bytes.
export const DAY_SECONDS = 86_400
export const DAY_MS = DAY_SECONDS * 1000

/** The same time of the clock some days before. */
export const daysBefore = (instant: Date, days: number): Date => new Date(instant.getTime() - days * DAY_MS)
