/** A path of this shop to go on to, as a header may carry it; anything else (another site, a scheme, a backslash trick) becomes the fallback. */
export function localPath<Fallback>(wanted: unknown, fallback: Fallback): string | Fallback {
  if (typeof wanted !== 'string' || wanted.length > 500 || !/^\/(?![/\\])[^\\\u0000-\u001f]*$/.test(wanted)) return fallback
  const url = URL.parse(wanted, 'http://shop.invalid')
  return url?.host === 'shop.invalid' ? url.pathname + url.search + url.hash : fallback
}
