export type JsonObject = Readonly<Record<string, unknown>>

/** A field as trimmed text; numbers become text, other types are ''. */
export function textOf(json: JsonObject, key: string): string {
  const value = json[key]
  if (typeof value === 'number') return String(value)
  // PostgreSQL rejects NUL in text.
  return typeof value === 'string' ? value.replaceAll('\0', '').trim() : ''
}

/** True for an absolute http(s) URL: shoppers are redirected to no other kind. */
export function isWebUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
}

/** An untrusted field as an id of at most `maxLength` printable ASCII characters, else undefined. */
export function idOf(text: string | undefined, maxLength: number): string | undefined {
  return text !== undefined && text.length <= maxLength && /^[\x21-\x7e]+$/.test(text) ? text : undefined
}
