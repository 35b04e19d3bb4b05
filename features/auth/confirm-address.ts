/** The address of the page that asks for the password or a code again, and then leads to `next`. */
export const confirmAddress = (next: string): string => `/account/confirm?next=${encodeURIComponent(next)}`
