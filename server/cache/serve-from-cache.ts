import type { IncomingMessage, ServerResponse } from 'node:http'
import { readId } from '#lib/format/id.ts'
import { readCookie } from '#lib/http/read-cookie.ts'
import { type Lang, langFromRequest } from '#lib/i18n/lang.ts'
import { LANG_COOKIE, POPUP_COOKIE } from '../cookies.ts'
import type { ResponseCache } from './response-cache.ts'

const MAX_CACHED_URL_LENGTH = 600

/** The language of the response: `?lang=`, else the cookie, else the browser's preference. */
export function requestLang(req: IncomingMessage): Lang {
  const url = req.url ?? ''
  const at = url.indexOf('lang=')
  const inUrl = at > 0 && (url[at - 1] === '?' || url[at - 1] === '&') ? url.slice(at + 5, at + 7) : null
  return langFromRequest({ cookie: inUrl ?? readCookie(req.headers.cookie, LANG_COOKIE), acceptLanguage: req.headers['accept-language'] })
}

/** The popup that this browser has seen, by its cookie; null without one. */
export function shownPopup(cookies: string | undefined): number | null {
  return readId(readCookie(cookies, POPUP_COOKIE) ?? undefined)
}

/** Everything besides the catalog that an anonymous response depends on; null for a request whose response is not shared. */
export function cacheKey(req: IncomingMessage, sessionName: string): string | null {
  const url = req.url ?? '/'
  if ((req.method !== 'GET' && req.method !== 'HEAD') || url.length > MAX_CACHED_URL_LENGTH) return null
  const cookie = req.headers.cookie
  if (readCookie(cookie, sessionName)) return null
  return `${requestLang(req)} ${shownPopup(cookie) ?? ''} ${url}`
}

/** Sends the cached response in front of the framework; false when there is none. */
export function serveFromCache(cache: ResponseCache, sessionName: string, req: IncomingMessage, res: ServerResponse): boolean {
  const key = cacheKey(req, sessionName)
  const response = key && cache.get(key)
  if (!response) return false
  cache.send(response, req, res)
  return true
}
