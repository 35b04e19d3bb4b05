// Cookies of sign-in. The `__Host-` prefix needs https, which a development machine does not have.

/** The cookie of the session token. */
export function sessionCookie(secure: boolean): string {
  return secure ? '__Host-sid' : 'sid'
}

/** The cookie of the pending challenge: a registration, sign-in or change that waits for its code. */
export function challengeCookie(secure: boolean): string {
  return secure ? '__Host-code' : 'code'
}

/** The cookie of the accounts that this browser has signed in to (`known-browser.server.ts`). */
export function knownBrowserCookie(secure: boolean): string {
  return secure ? '__Host-known' : 'known'
}
