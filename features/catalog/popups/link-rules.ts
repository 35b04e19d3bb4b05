import { localPath } from '#lib/http/local-path.ts'

/** Whether a link is permitted for a popup: empty, a path of this shop, or an https URL. */
export function isPopupLink(link: string): boolean {
  if (link === '') return true
  if (link.startsWith('/')) return localPath(link, null) !== null
  if (!/^https:\/\/[^\s\\]+$/i.test(link)) return false
  const url = URL.parse(link)
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === ''
}
