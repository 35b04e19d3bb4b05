import { parseUrl } from './parse-url.ts'

const MAX_LENGTH = 500
const BASE = 'http://shop.invalid'

/**
 * A path of this shop that a redirect or a link may lead to, as a header may carry it. Another site, a scheme, a backslash or a
 * control character gives the fallback. The path is checked a second time after the URL parser has removed dot segments:
 * `/.//evil.example` becomes `//evil.example`, which a browser reads as another site.
 */
export function localPath<Fallback>(requested: unknown, fallback: Fallback): string | Fallback {
  if (typeof requested !== 'string' || requested.length > MAX_LENGTH || !isPath(requested)) return fallback
  const url = parseUrl(requested, BASE)
  if (url?.origin !== BASE) return fallback
  const path = url.pathname + url.search + url.hash
  return isPath(path) ? path : fallback
}

/** One slash, then no second one, and nothing that the URL parser would drop or turn into a slash. */
function isPath(text: string): boolean {
  return /^\/(?![/\\])[^\\\u0000-\u001f]*$/.test(text)
}
