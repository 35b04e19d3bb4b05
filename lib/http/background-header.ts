/** The header of calls that a page makes by itself on an unused device: they do not extend the session (`server/plugins/authentication.ts`). */
export const BACKGROUND_HEADER = 'x-background'
