export type JsonObject = Readonly<Record<string, unknown>>

/** A field as trimmed text; numbers are taken as their text, everything else as absent. */
export function textOf(json: JsonObject, key: string): string {
  const value = json[key]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.trim() : ''
}

/** True for an absolute http(s) address: the only kind a shopper's browser is ever sent to. */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
}
