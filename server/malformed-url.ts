/**
 * The address of a request, with the percent signs of a path that cannot be decoded encoded once more. The router refuses such a path before
 * any plugin runs, with an error of its own; encoded, it is an address of nothing and gets the page for that.
 */
export function decodableUrl(url: string): string {
  if (!url.includes('%')) return url
  const end = url.search(/[?#]/)
  const path = end === -1 ? url : url.slice(0, end)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}
