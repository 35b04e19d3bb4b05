/** The page that asks a new customer for the name, once, and then goes on to `next`. */
export const askNamePath = (next: string): string => `/account/security/name?next=${encodeURIComponent(next || '/')}`
