/** Whether the page to return to belongs to the admin. Signing in for it opens no customer account. */
export const isAdminPath = (path: string | null): boolean => /^\/admin(?:[/?#]|$)/.test(path ?? '')

/** The page that asks a new customer for the name, once, and then goes on to `next`. */
export const askNamePath = (next: string): string => `/account/security/name?next=${encodeURIComponent(next || '/')}`
