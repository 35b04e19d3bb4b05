import type { ProductDetailJson } from '#features/catalog/types.ts'
import { setPriceOf, type PosLine } from '#features/pos/rules.ts'
import { pricesOf } from '#features/catalog/shown-price-rules.ts'
import { call } from '#page/api-client.ts'

const AT_ONCE = 8

/** Lines at the prices of now. Where no answer comes they stay as they are: the shop compares them when the sale is placed. */
export async function refreshLines(lines: readonly PosLine[]): Promise<{ lines: PosLine[]; changed: string[] }> {
  const fresh: PosLine[] = []
  for (let at = 0; at < lines.length; at += AT_ONCE) fresh.push(...(await Promise.all(lines.slice(at, at + AT_ONCE).map(refreshLine))))
  const changed = fresh.filter((line, at) => line.price !== lines[at]?.price).map((line) => line.name)
  return { lines: fresh, changed }
}

async function refreshLine(line: PosLine): Promise<PosLine> {
  const answer = await call<ProductDetailJson>(`/api/products/${line.id}`)
  return answer.ok ? setPriceOf(line, pricesOf(answer.body).now) : line
}
