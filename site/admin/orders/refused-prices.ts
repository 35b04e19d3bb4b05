import type { ProductDetailJson } from '#features/catalog/types.ts'
import { call } from '#page/api-client.ts'
import type { PostResult } from '../ui/admin-post.ts'
import { chosenLine, type LineValue, type SharedForm } from './order-values.ts'

/** The positions of the lines whose price the shop refused. */
function refusedLines(errors: Record<string, string[]>): number[] {
  return Object.keys(errors).flatMap((field) => {
    const [, at] = /^products\.(\d+)\.price_on_order$/.exec(field) ?? []
    return at === undefined ? [] : [Number(at)]
  })
}

/**
 * Brings lines whose price the shop refused up to the prices of now: the price has changed since the form was opened. The error beside it says
 * so. Staff who may set prices (`mayPrice`) choose between the old and the new one; others get the new one.
 */
export async function takeUsualPrices(form: Form, saved: PostResult<unknown>, mayPrice: boolean): Promise<void> {
  if (saved.ok) return
  const lines = refusedLines(saved.errors).flatMap((at) => form.values.products[at] ?? [])
  await refreshLines(form, lines, ({ base_price, price_on_order, usual_price }) => {
    return { base_price, usual_price, ...(mayPrice ? {} : { price_on_order }) }
  })
}

/** Brings the delivery charges of the lines up to those of now. */
export const takeCharges = (form: Form): Promise<void> => refreshLines(form, form.values.products, ({ shipping }) => ({ shipping }))

export type Form = Pick<SharedForm, 'values' | 'set'>

async function refreshLines({ set }: Form, lines: readonly LineValue[], changes: (fresh: LineValue) => Partial<LineValue>): Promise<void> {
  const load = async (line: LineValue) => {
    const answer = await call<ProductDetailJson>(`/api/products/${line.product_id}`)
    if (!answer.ok) return
    const fresh = changes(chosenLine(line, answer.body, line.product_name))
    set('products', (now) => now.map((one) => (one.key === line.key ? { ...one, ...fresh } : one)))
  }
  await Promise.all(lines.map(load))
}
