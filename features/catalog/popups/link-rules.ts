import { localPath } from '#lib/http/local-path.ts'
import { parseUrl } from '#lib/http/parse-url.ts'

/** Whether a link is permitted for a popup: empty, a path of this shop, or an https URL. */
export function isPopupLink(link: string): boolean {
  if (link === '') return true
  if (link.startsWith('/')) return localPath(link, null) !== null
  if (!/^https:\/\/[^\s\\]+$/i.test(link)) return false
  const url = parseUrl(link)
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === ''
}
