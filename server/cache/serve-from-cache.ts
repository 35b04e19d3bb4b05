import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Lang, langFromRequest } from '#lib/i18n/lang.ts'
import { LANG_COOKIE, POPUP_COOKIE, readCookie } from '../cookies.ts'
import { type ResponseCache, sendFromCache } from './response-cache.ts'

const MAX_KEPT_URL_LENGTH = 600

/** The language a request is answered in: `?lang=`, else the remembered one, else the browser's wish. */
export function requestLang(req: IncomingMessage): Lang {
  const url = req.url ?? ''
  const at = url.indexOf('lang=')
  const inUrl = at > 0 && (url[at - 1] === '?' || url[at - 1] === '&') ? url.slice(at + 5, at + 7) : null
  return langFromRequest({ cookie: inUrl ?? readCookie(req.headers.cookie, LANG_COOKIE), acceptLanguage: req.headers['accept-language'] })
}

/** What an anonymous answer depends on besides the catalog; null when this visitor's answers are not shared. */
export function cacheKey(req: IncomingMessage, sessionName: string): string | null {
  const url = req.url ?? '/'
  if ((req.method !== 'GET' && req.method !== 'HEAD') || url.length > MAX_KEPT_URL_LENGTH) return null
  const cookie = req.headers.cookie
  if (readCookie(cookie, sessionName)) return null
  const popup = readCookie(cookie, POPUP_COOKIE)
  return `${requestLang(req)} ${popup && /^\d{1,10}$/.test(popup) ? popup : ''} ${url}`
}

/** Answers from what is kept, in front of the framework; false when there is nothing kept for it. */
export function serveFromCache(answers: ResponseCache, sessionName: string, req: IncomingMessage, res: ServerResponse): boolean {
  const key = cacheKey(req, sessionName)
  const kept = key && answers.find(key)
  if (!kept) return false
  sendFromCache(req, res, kept)
  return true
}
