import { localPath } from '#lib/http/local-path.ts'

/** Whether a campaign may lead there: nowhere, to a page of this shop, or to a site by https. */
export function isPopupLink(link: string): boolean {
  if (link === '') return true
  if (link.startsWith('/')) return localPath(link, null) !== null
  if (!/^https:\/\/[^\s\\]+$/i.test(link)) return false
  const url = URL.parse(link)
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === ''
}
