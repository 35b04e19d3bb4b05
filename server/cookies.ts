// The few cookies of the shop, read from the raw header because kept pages are served before any framework runs.

export const LANG_COOKIE = 'lang'
export const POPUP_COOKIE = 'popup'
/** Secret of a browser that has placed an order: opens its own invoices. */
export const BROWSER_COOKIE = 'browser'

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
