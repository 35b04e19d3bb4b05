import type { ProductDetailJson } from '#features/catalog/types.ts'
import { setPriceOf, type PosLine } from '#features/pos/rules.ts'
import { pricesOf } from '#features/catalog/shown-price-rules.ts'
import { posCall } from './device/network.ts'

const CONCURRENCY = 8

/** Loads the current prices of lines, and their names in the language of this screen. Without a response a line stays as it is: the server compares prices when the sale is submitted. */
export async function refreshLines(lines: readonly PosLine[]): Promise<{ lines: PosLine[]; changed: string[] }> {
  const fresh: PosLine[] = []
  for (let at = 0; at < lines.length; at += CONCURRENCY)
    fresh.push(...(await Promise.all(lines.slice(at, at + CONCURRENCY).map(refreshLine))))
  const changed = fresh.filter((line, at) => line.price !== lines[at]?.price).map((line) => line.name)
  return { lines: fresh, changed }
}

async function refreshLine(line: PosLine): Promise<PosLine> {
  const answer = await posCall<ProductDetailJson>(`/api/products/${line.id}`)
  return answer.ok ? { ...setPriceOf(line, pricesOf(answer.body).now), name: answer.body.product_type } : line
}
