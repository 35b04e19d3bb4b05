import type { ProductDetailJson } from '#features/catalog/types.ts'
import { setPriceOf, type TillLine } from '#features/pos/rules.ts'
import { pricesOf } from '#features/catalog/shown-price-rules.ts'
import { call } from '#page/api-client.ts'

const AT_ONCE = 8

/** Lines at the prices of now. Where no answer comes they stay as they are: the shop compares them when the sale is placed. */
export async function refreshLines(lines: readonly TillLine[]): Promise<{ lines: TillLine[]; changed: string[] }> {
  const fresh: TillLine[] = []
  for (let at = 0; at < lines.length; at += AT_ONCE) fresh.push(...(await Promise.all(lines.slice(at, at + AT_ONCE).map(refreshLine))))
  const changed = fresh.filter((line, at) => line.price !== lines[at]?.price).map((line) => line.name)
  return { lines: fresh, changed }
}

async function refreshLine(line: TillLine): Promise<TillLine> {
  const answer = await call<ProductDetailJson>(`/api/products/${line.id}`)
  return answer.ok ? setPriceOf(line, pricesOf(answer.body).now) : line
}
