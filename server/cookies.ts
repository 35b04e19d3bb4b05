// The few cookies of the shop, read from the raw header because kept pages are served before any framework runs.

export const LANG_COOKIE = 'lang'
export const POPUP_COOKIE = 'popup'

/** The cookie with the secret of a browser, which opens the orders placed with it. A sister domain cannot write one with `__Host-`. */
export function browserCookie(secure: boolean): string {
  return secure ? '__Host-browser' : 'browser'
}

/** The secret that earlier releases kept in the cookie `browser`, chosen or derived without a mark; null where there is none. */
export function earlierBrowserSecret(header: string | undefined): string | null {
  const secret = readCookie(header, 'browser')
  return secret !== null && /^[\w-]{20,60}$/.test(secret) ? secret : null
}

/** The session cookie's name: the `__Host-` prefix needs https, which a laptop does not have. */
export function sessionCookie(secure: boolean): string {
  return secure ? '__Host-sid' : 'sid'
}

/** The value of a cookie, or null. */
export function readCookie(header: string | undefined, name: string): string | null {
  if (!header) return null
  let from = 0
  while (from < header.length) {
    let end = header.indexOf(';', from)
    if (end < 0) end = header.length
    while (header[from] === ' ') from += 1
    if (header.startsWith(name, from) && header[from + name.length] === '=') {
      return header.slice(from + name.length + 1, end).trim()
    }
    from = end + 1
  }
  return null
}

/** The cookie of what a browser has begun and must prove with a code. */
export function challengeCookie(secure: boolean): string {
  return secure ? '__Host-code' : 'code'
}

/** The cookie of accounts that this browser has signed in to before (`known-browser.server.ts`). */
export function knownBrowserCookie(secure: boolean): string {
  return secure ? '__Host-known' : 'known'
}
