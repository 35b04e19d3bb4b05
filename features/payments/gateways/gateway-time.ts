const WALL_TIME = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:[:.](\d{1,3}))?(?:\s*(?:GMT|UTC)?\s*([+-])(\d{2}):?(\d{2}))?$/

/**
 * Parses a gateway's time; null when it is invalid. Without a zone both companies mean Dhaka (+06:00). `new Date` does not parse bKash's
 * format, `2019-08-07T11:12:34:978 GMT+0600`.
 */
export function parseGatewayTime(text: string): Date | null {
  const match = WALL_TIME.exec(text.trim())
  if (!match) return null
  const part = (at: number) => Number(match[at] ?? 0)
  const wall = Date.UTC(part(1), part(2) - 1, part(3), part(4), part(5), part(6), Number((match[7] ?? '0').padEnd(3, '0')))
  const offsetMinutes = match[8] ? (match[8] === '-' ? -1 : 1) * (part(9) * 60 + part(10)) : 360
  return new Date(wall - offsetMinutes * 60_000)
}
