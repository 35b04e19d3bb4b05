import type { StaffActor } from '#features/auth/permissions.ts'
import type { RequestKey } from '#features/orders/editing/insert-order.server.ts'
import type { AdminDeps } from '#features/orders/order-deps.ts'
import { lockProducts } from '#features/stock/stock.server.ts'
import { USED_TRANSACTION } from '#features/ledger/ledger.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { textByKey } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { ZERO } from '#lib/format/money.ts'
import { requestHash } from '#lib/http/idempotency-key.server.ts'
import { type CashRefund, drawerRejection, isBeyondDrawer, logRefusedRefund } from './drawer-refusal.server.ts'
import type { ExchangeForm } from './forms.ts'
import {
  approvalRejection,
  findReturnError,
  prepareReturn,
  refundOf,
  type ReturnRejection,
  type ReturnRequest,
  type ReturnWork,
  writeRefund,
  writeReturnedGoods,
} from './return-products.server.ts'
import type { SaleResult } from './sale-pricing.server.ts'
import { findRecordedSale } from './sale-queries.server.ts'
import type { SaleRequest } from './sale-request.ts'
import { explainSaleError, requestedLines, sellInside, type ShopData } from './sell.server.ts'
import { saleKey } from './offline-sales.server.ts'
import { checkSupervisor, type SupervisorDeps } from './supervisors.server.ts'
import { usedTransactions } from './transaction-ids.server.ts'

export type SaleRejection = Exclude<SaleResult, { ok: true }>

export type ExchangeResult =
  | { ok: true; orderId: number; returnId: number }
  | { ok: false; side: 'return'; rejection: ReturnRejection }
  | { ok: false; side: 'sale'; rejection: SaleRejection }

/** Thrown to roll back the half of an exchange that is already written. */
class ExchangeRejectedError extends Error {
  readonly result: Extract<ExchangeResult, { ok: false }>
  /** The refund that the drawer does not hold: it is logged after the rollback. */
  readonly refused: CashRefund | null

  constructor(result: Extract<ExchangeResult, { ok: false }>, refused: CashRefund | null = null) {
    super('the exchange was rejected')
    this.result = result
    this.refused = refused
  }
}

const ofReturn = (rejection: ReturnRejection) => ({ ok: false, side: 'return', rejection }) as const
const ofSale = (rejection: SaleRejection) => ({ ok: false, side: 'sale', rejection }) as const

/**
 * Exchanges products of a POS sale for a new sale: return, sale and the difference of money in one transaction, under the key of the new
 * sale. Limits of returns and approvals of sales are those of each alone. Of two concurrent exchanges the second finds the products
 * returned. The same key returns the first result.
 */
export async function exchange(
  deps: AdminDeps & SupervisorDeps,
  orderId: number,
  { exchange: { supervisor: typed, ...returned }, ...sale }: ExchangeForm,
  clerk: StaffActor,
  { lang, idempotencyKey }: { lang: Lang; idempotencyKey: string },
): Promise<ExchangeResult> {
  if (sale.cashier_id !== null && sale.cashier_id !== clerk.id) return ofSale({ ok: false, reason: 'other-cashier' })
  // An exchange needs the network: its sale is made now.
  const form = { ...sale, sold_at: null, handed_over: false }
  const key = { key: saleKey(clerk.id, idempotencyKey), hash: requestHash({ orderId, sale, returned }) }
  const t = textByKey(lang)
  const sold: SaleRequest = { deps, form, clerk, lang, t, idempotencyKey, key, requested: requestedLines(form), sentAt: null }
  const shop = { areas: await deps.shopCache.areas(), settings: await deps.shopCache.settings() }
  const checked = typed && (await checkSupervisor(deps, clerk, typed))
  if (checked && !checked.ok) return ofReturn(checked)
  const supervisor = checked?.supervisor ?? null
  const back = { orderId, form: returned, key: returnKey(clerk, idempotencyKey, key), clerk, supervisor, ...shop, lang, now: deps.now() }
  try {
    const result = await inTransaction(deps.db, (tx) => exchangeInside(tx, sold, back, shop))
    if (result.ok) deps.catalogChanged()
    return result
  } catch (error) {
    if (error instanceof ExchangeRejectedError) {
      const { refused } = error
      if (refused) await inTransaction(deps.db, (tx) => logRefusedRefund(tx, refused))
      return error.result
    }
    const used = constraintOf(error) === USED_TRANSACTION ? await usedTransactions(deps.db, returned.transaction_ids, t) : {}
    if (Object.keys(used).length > 0) return ofReturn({ ok: false, reason: 'invalid', errors: used })
    return ofSale(await explainSaleError(error, sold))
  }
}

const returnKey = (clerk: StaffActor, key: string, { hash }: RequestKey) => ({ key: `exchange-${clerk.id}:${key}`, hash })

async function exchangeInside(tx: Db, sold: SaleRequest, back: ReturnRequest, shop: ShopData): Promise<ExchangeResult> {
  const earlier = await findRecordedSale(tx, sold)
  if (earlier) return earlier.ok ? replay(tx, earlier.orderId) : ofSale(earlier)
  const prepared = await prepareReturn(tx, back)
  if (!prepared.ok) return ofReturn(prepared)
  const { work } = prepared
  await lockProducts(
    tx,
    [...back.form.lines, ...sold.requested].map(({ productId }) => productId),
  )
  // The products come back first: the customer may take the same ones.
  const returnId = await writeReturnedGoods(tx, work)
  const sale = await sellInside(tx, { ...sold, exchange: { returnId, refund: work.sums.refund } }, shop)
  if (!sale.ok) throw new ExchangeRejectedError(ofSale(sale))
  const { orderId } = sale
  await payBack(tx, sold, work, { returnId, orderId, exchanged: sale.exchanged ?? ZERO })
  return { ok: true, orderId, returnId }
}

interface Recorded {
  returnId: number
  orderId: number
  exchanged: ReturnWork['sums']['refund']
}

/** Records the refund: the exchanged part, and the difference that is paid back. */
async function payBack(tx: Db, { deps, t }: SaleRequest, work: ReturnWork, { returnId, orderId, exchanged }: Recorded): Promise<void> {
  const refund = refundOf(work, exchanged)
  const rejection = (await findReturnError(tx, work, refund, t)) ?? approvalRejection(work)
  if (rejection) throw new ExchangeRejectedError(ofReturn(rejection))
  if (await isBeyondDrawer(tx, work)) throw new ExchangeRejectedError(ofReturn(drawerRejection(t)), work)
  await tx.updateTable('pos_returns').set({ exchange_order_id: orderId }).where('id', '=', returnId).execute()
  await writeRefund(tx, work, { returnId, refund, exchangeOrderId: orderId, publicUrl: deps.env.publicUrl })
}

async function replay(tx: Db, orderId: number): Promise<ExchangeResult> {
  const { id } = await tx.selectFrom('pos_returns').select('id').where('exchange_order_id', '=', orderId).executeTakeFirstOrThrow()
  return { ok: true, orderId, returnId: id }
}
