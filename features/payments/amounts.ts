import type { Poisha } from '#lib/format/money.ts'

const DECIMAL = /^(\d{1,11})(?:\.(\d{1,2}))?$/

/** A gateway's decimal text or number (`220.00`, `69`, `292.5`) as poisha; null for any other value. */
export function parseGatewayAmount(raw: unknown): Poisha | null {
  if (typeof raw !== 'string' && typeof raw !== 'number') return null
  const match = DECIMAL.exec(String(raw).trim())
  if (!match) return null
  return (Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))) as Poisha
}
