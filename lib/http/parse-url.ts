/** A URL in its parts; null where the text is none. As `URL.parse` in browsers from Chrome 126, Safari 18 and Firefox 126. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
