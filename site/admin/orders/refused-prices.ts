import type { ProductDetailJson } from '#features/catalog/types.ts'
import { call } from '#page/api-client.ts'
import type { PostResult } from '../ui/admin-post.ts'
import { chosenLine, type SharedForm } from './order-values.ts'

/** The positions of the lines whose price the shop refused. */
function refusedLines(errors: Record<string, string[]>): number[] {
  return Object.keys(errors).flatMap((field) => {
    const [, at] = /^products\.(\d+)\.price_on_order$/.exec(field) ?? []
    return at === undefined ? [] : [Number(at)]
  })
}

/**
 * Fills the prices of now into lines whose price the shop refused. For staff who may not set prices: the price has changed since the form was
 * opened, and they cannot type another one. The error beside it says so.
 */
export async function takeUsualPrices({ values, set }: Pick<SharedForm, 'values' | 'set'>, saved: PostResult<unknown>): Promise<void> {
  if (saved.ok) return
  const lines = refusedLines(saved.errors).flatMap((at) => values.products[at] ?? [])
  await Promise.all(
    lines.map(async (line) => {
      const answer = await call<ProductDetailJson>(`/api/products/${line.product_id}`)
      if (!answer.ok) return
      const { base_price, price_on_order } = chosenLine(line, answer.body, line.product_name)
      set('products', (now) => now.map((one) => (one.key === line.key ? { ...one, base_price, price_on_order } : one)))
    }),
  )
}
