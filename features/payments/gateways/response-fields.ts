export type JsonObject = Readonly<Record<string, unknown>>

/** A field as trimmed text; numbers are taken as their text, everything else as absent. */
export function textOf(json: JsonObject, key: string): string {
  const value = json[key]
  if (typeof value === 'number') return String(value)
  // PostgreSQL takes no NUL in a text.
  return typeof value === 'string' ? value.replaceAll('\0', '').trim() : ''
}

/** True for an absolute http(s) address: the only kind a shopper's browser is ever sent to. */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
}

/** A field of a stranger's request as an id of at most so many plain characters, else undefined. */
export function idOf(text: string | undefined, longest: number): string | undefined {
  return text !== undefined && text.length <= longest && /^[\x21-\x7e]+$/.test(text) ? text : undefined
}
