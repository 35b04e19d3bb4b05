/** A reader that takes no more of a body in this time is disconnected. A slow phone takes a video or a long list for minutes. */
export const READER_TIMEOUT_MS = 60_000
