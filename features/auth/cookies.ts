// Cookies by which a browser is known. The `__Host-` prefix needs https, which a development machine does not have.

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

/** The cookie of the order access token (`features/orders/order-access-token.server.ts`). */
export function orderAccessCookie(secure: boolean): string {
  return secure ? '__Host-browser' : LEGACY_ORDER_ACCESS_COOKIE
}

/** The cookie of the unsigned token of releases up to 0.1. */
export const LEGACY_ORDER_ACCESS_COOKIE = 'browser'
