import { sql } from 'kysely'
import type { MissingProduct } from '#features/stock/stock.server.ts'
import type { SoldProductRow } from '#features/catalog/product-rows.server.ts'
import { listSoldProductRows } from '#features/catalog/queries.server.ts'
import { nextQuantity, previousQuantity } from '#features/catalog/quantity-rules.ts'
import { toQuoteProduct } from '#features/pricing/quote-product.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import type { MessageKey, Text } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatTaka } from '#lib/format/money.ts'
import { formatNumber, formatQuantity } from '#lib/format/numbers.ts'
import type { StoreOrder } from './forms.ts'
import {
  type FrozenLine,
  type LineProblem,
  type AdminLine,
  type AdminProduct,
  priceAdminLine,
  type PriceProblem,
  type NewOrderLine,
} from './pricing-rules.ts'

/** Error texts by field. The field of a line has dots: `products.0.quantity`. */
export type FieldErrors = Record<string, string[]>
/** The products of an order by id: `rows` as the shop sells them now, `frozen` as the order has them. */
export interface PricedProduct {
  rows: Map<number, SoldProductRow>
  frozen: Map<number, FrozenLine>
}

/** Loads the products of a list of lines: those of the order also while they are hidden, others while they are for sale. */
export async function loadProducts(
  tx: Db,
  lines: readonly { productId: number }[],
  frozen: readonly FrozenLine[] = [],
): Promise<PricedProduct> {
  const frozenLines = new Map(frozen.map((line) => [line.productId, line]))
  const ids = [...new Set(lines.map((line) => line.productId))]
  const ordered = ids.filter((id) => frozenLines.has(id))
  const added = ids.filter((id) => !frozenLines.has(id))
  const rows = [...(await listSoldProductRows(tx, ordered, { withHidden: true })), ...(await listSoldProductRows(tx, added))]
  return { rows: new Map(rows.map((row) => [row.id, row])), frozen: frozenLines }
}

/** Prices each line, or adds its error. */
export function priceLines(
  requested: readonly NewOrderLine[],
  products: PricedProduct,
  mayPrice: boolean,
  t: Text,
  lang: Lang,
): { lines: AdminLine[]; errors: FieldErrors } {
  const lines: AdminLine[] = []
  const errors: FieldErrors = {}
  const productIds = new Set<number>()
  requested.forEach((line, index) => {
    const row = products.rows.get(line.productId) ?? null
    const result = productIds.has(line.productId)
      ? ({ ok: false, problem: 'listed-twice' } as const)
      : priceAdminLine(line, row && adminProduct(row), products.frozen.get(line.productId) ?? null, mayPrice)
    productIds.add(line.productId)
    if (result.ok) lines.push(result.line)
    else if ('usual' in result)
      errors[`products.${index}.price_on_order`] = [t(`admin-orders.${result.problem}`, { amount: formatTaka(result.usual, lang) })]
    else errors[`products.${index}.${fieldOf(result.problem)}`] = [problemText(result.problem, line, row, t, lang)]
  })
  return { lines, errors }
}

type FieldProblem = Exclude<LineProblem, PriceProblem>

function problemText(problem: FieldProblem, { quantityMilli }: NewOrderLine, row: SoldProductRow | null, t: Text, lang: Lang): string {
  const name = (row && (lang === 'bn' ? row.name_bn : row.name_en)) ?? ''
  const sizes = row && problem === 'quantity-not-allowed' && !row.is_unique ? adminProduct(row).sizesMilli : []
  if (!row || sizes.length === 0) return t(textOf(problem), { name })
  const nearest = new Set([previousQuantity(sizes, quantityMilli), nextQuantity(sizes, quantityMilli)])
  return t('admin-orders.quantity-packs', {
    sizes: sizes.map((milli) => formatNumber(milli / 1000, lang)).join(', '),
    nearest: [...nearest].map((milli) => formatQuantity(milli, row.unit, lang)).join(' / '),
  })
}

function adminProduct(row: SoldProductRow): AdminProduct {
  return { ...toQuoteProduct(row, 'en'), unit: row.unit }
}

function fieldOf(problem: FieldProblem): 'product_id' | 'quantity' | 'price_on_order' {
  if (problem === 'unknown-product' || problem === 'listed-twice') return 'product_id'
  return problem === 'quantity-not-allowed' ? 'quantity' : 'price_on_order'
}

function textOf(problem: FieldProblem): MessageKey {
  switch (problem) {
    case 'unknown-product':
      return 'refusal.unknown-product'
    case 'listed-twice':
      return 'refusal.listed-twice'
    case 'quantity-not-allowed':
      return 'refusal.quantity-not-allowed'
    case 'price-too-high':
      return 'field.taka'
  }
}

/** The lines of a form as they are priced. */
export const requestedLines = (products: StoreOrder['products']): NewOrderLine[] =>
  products.map(({ product_id, quantity, price_on_order, usual_price }) => {
    return { productId: product_id, quantityMilli: quantity, price: price_on_order, seenPrice: usual_price }
  })

/** The errors of missing products, at their lines. A product without a line gets its error at `products`. */
export async function missingErrors(
  db: Db,
  missing: readonly MissingProduct[],
  requested: readonly { productId: number }[],
  t: Text,
  lang: Lang,
): Promise<FieldErrors> {
  const { rows } = await sql<{ id: number; name_en: string; name_bn: string; unit: string }>`
    select id, name_en, name_bn, unit from products where id = any(${missing.map(({ product_id }) => product_id)}::bigint[])`.execute(db)
  const errors: FieldErrors = {}
  for (const { product_id, reason, left_milli } of missing) {
    const product = rows.find((row) => row.id === product_id)
    const name = (lang === 'bn' ? product?.name_bn : product?.name_en) ?? String(product_id)
    const left = formatQuantity(left_milli ?? 0, product?.unit ?? '', lang)
    const index = requested.findIndex((line) => line.productId === product_id)
    const field = index < 0 ? 'products' : `products.${index}.${reason === 'not-enough' ? 'quantity' : 'product_id'}`
    const text = reason === 'not-enough' ? t('admin-orders.not-enough', { name, left }) : t('refusal.not-available', { name })
    ;(errors[field] ??= []).push(text)
  }
  return errors
}

/** The error of an order whose products are not for sale, or not in this quantity [S1]. */
export function missingResult(missing: readonly MissingProduct[], errors: FieldErrors) {
  return { ok: false, reason: 'gone', errors, productIds: missing.map(({ product_id }) => product_id) } as const
}

/** The names of missing products. */
export async function missingNames(db: Db, missing: readonly MissingProduct[], lang: Lang): Promise<string[]> {
  const name = columnIn(lang, 'name')
  const { rows } = await sql<{ name: string }>`
    select ${name} as name from products where id = any(${missing.map(({ product_id }) => product_id)}::bigint[]) order by id`.execute(db)
  return rows.map((row) => row.name)
}
