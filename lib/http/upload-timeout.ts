/** Uploads on slow mobile networks take longer than other requests. The limit of the server, and of the browser that waits for it. */
export const UPLOAD_TIMEOUT_MS = 120_000
