import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { audit } from '#features/audit/audit.server.ts'
import { writeStatus } from '#features/orders/status/change-status.server.ts'
import { addLedgerEntry, USED_TRANSACTION } from '#features/ledger/ledger.server.ts'
import { lockProducts } from '#features/stock/stock.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import type { StaffActor } from '#features/auth/permissions.ts'
import type { AdminDeps } from '#features/orders/order-deps.ts'
import type { FieldErrors } from '#features/orders/editing/order-line-pricing.server.ts'
import { lockOrder, type LockedOrder, raiseOrderVersion } from '#features/orders/order-locks.server.ts'
import { returnLineErrors } from '#features/orders/returns/return-line-errors.server.ts'
import { isReturnable, type ReturnSums, returnSums } from '#features/orders/returns/return-rules.ts'
import { findEarlierReturn, type ReturnKey, writeReturn, writeReturnEntry } from '#features/orders/returns/write-return.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { textByKey, type Text } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatTaka, poisha, type Poisha, poishaToTaka, ZERO } from '#lib/format/money.ts'
import { requestHash } from '#lib/http/idempotency-key.server.ts'
import { findDrawerError } from './drawer-refusal.server.ts'
import type { ReturnForm } from './forms.ts'
import { findReturnApprover, type ReturnApprover, returnApprovalText } from './return-approval.server.ts'
import { roundedRefund } from './rounding-rules.ts'
import { addStoreCredit, findCreditRefundErrors } from './account/store-credit.server.ts'
import { refundReference, refundsByMethod } from './refund-methods.ts'
import { refundMethodErrors } from './refund-method-errors.server.ts'
import { noncashOf, tenderedOf } from './rules.ts'
import { findOpenShift, type OpenShift } from './shift-queries.server.ts'
import { findSoldSale, type SoldSale } from './sale-queries.server.ts'
import { checkSupervisor, type Supervisor, type SupervisorDeps, type SupervisorRejection } from './supervisors.server.ts'
import { usedTransactions } from './transaction-ids.server.ts'

export type ReturnResult =
  /** `recordedAt`: an earlier request with the same key recorded it then. */
  | { ok: true; returnId: number; recordedAt?: Date }
  | { ok: false; reason: 'invalid'; errors: FieldErrors }
  /** The requested refund differs from the server's. */
  | { ok: false; reason: 'changed'; errors: FieldErrors; refund: Poisha }
  /** Beyond the cashier's refund limit. */
  | { ok: false; reason: 'approval'; errors: FieldErrors; refund: Poisha }
  | SupervisorRejection
  /** `returned`: the sale has another return than the screen shows. */
  | { ok: false; reason: 'key-reused' | 'no-shift' | 'not-found' | 'not-out' | 'settled' | 'returned' }

export type ReturnRejection = Extract<ReturnResult, { ok: false }>

/**
 * Records a return of a POS sale: refund from the cashier's open shift, stock or write-off, history and log in one transaction. Of two
 * concurrent returns the second gets the remaining quantities. The same key returns the first result.
 */
export async function returnProducts(
  deps: AdminDeps & SupervisorDeps,
  orderId: number,
  { supervisor: typed, ...form }: ReturnForm,
  clerk: StaffActor,
  { lang, idempotencyKey }: { lang: Lang; idempotencyKey: string },
): Promise<ReturnResult> {
  const t = textByKey(lang)
  const settings = await deps.shopCache.settings()
  const key = { key: `return-${clerk.id}:${idempotencyKey}`, hash: requestHash({ orderId, form }) }
  const checked = typed && (await checkSupervisor(deps, clerk, typed))
  if (checked && !checked.ok) return checked
  const request = { orderId, form, key, clerk, supervisor: checked?.supervisor ?? null, settings, lang, now: deps.now() }
  try {
    const result = await inTransaction(deps.db, async (tx): Promise<ReturnResult> => {
      const earlier = await findEarlierResult(tx, key)
      if (earlier) return earlier
      const prepared = await prepareReturn(tx, request)
      if (!prepared.ok) return prepared
      const { work } = prepared
      const refund = refundOf(work, ZERO)
      const rejection = (await findReturnError(tx, work, refund, t)) ?? approvalRejection(work) ?? (await findDrawerError(tx, work, t))
      if (rejection) return rejection
      // Locked before rows that reference the products are inserted: their foreign-key locks would deadlock two returns of the same products.
      await lockProducts(
        tx,
        form.lines.map((line) => line.productId),
      )
      const returnId = await writeReturnedGoods(tx, work)
      await writeRefund(tx, work, { returnId, refund, publicUrl: deps.env.publicUrl })
      return { ok: true, returnId }
    })
    if (result.ok) deps.catalogChanged()
    return result
  } catch (error) {
    if (constraintOf(error) !== USED_TRANSACTION) throw error
    return { ok: false, reason: 'invalid', errors: await usedTransactions(deps.db, form.transaction_ids, t) }
  }
}

export interface ReturnRequest {
  orderId: number
  form: Omit<ReturnForm, 'supervisor'>
  key: ReturnKey
  clerk: StaffActor
  /** The supervisor whose code came with the return; null without one. */
  supervisor: Supervisor | null
  settings: Settings
  lang: Lang
  now: Date
}

/** A return that may be recorded, except for the amount of its refund. */
export interface ReturnWork extends ReturnRequest, Omit<RefundTerms, 'form'> {
  shift: OpenShift
  order: LockedOrder
  sale: SoldSale
  approver: ReturnApprover | null | 'missing'
}

/** Locks the shift and the sale of a return, and checks its lines. Nothing is written. */
export async function prepareReturn(tx: Db, request: ReturnRequest): Promise<{ ok: true; work: ReturnWork } | ReturnRejection> {
  const { orderId, form, clerk, lang } = request
  const shift = await findOpenShift(tx, clerk.id, 'update')
  if (!shift) return { ok: false, reason: 'no-shift' }
  const order = await lockOrder(tx, orderId)
  const sale = order && (await findSoldSale(tx, orderId, lang))
  if (!order || !sale) return { ok: false, reason: 'not-found' }
  if (!isReturnable(order.status)) return { ok: false, reason: 'not-out' }
  if (sale.isSettled) return { ok: false, reason: 'settled' }
  if (form.returns !== undefined && form.returns !== sale.returns.length) return { ok: false, reason: 'returned' }
  const t = textByKey(lang)
  const errors = {
    ...returnLineErrors(sale, form.lines, { notSold: 'pos.return.not-sold', lang }),
    ...refundMethodErrors(form.refund, request.settings, t, sale.extraMethods),
  }
  if (Object.keys(errors).length > 0) return { ok: false, reason: 'invalid', errors }
  const sums = returnSums(sale, form.lines)
  const approver = await findReturnApprover(tx, { ...request, limit: request.settings.pos_return, sale, sums })
  const rounding = { roundsCash: request.settings.cash_rounding, cashCarried: sale.cashCarried }
  return { ok: true, work: { ...request, ...rounding, shift, order, sale, sums, approver } }
}

/** Records the returned products: the return with its lines, and their stock. Their rows must be locked. Returns the id of the return. */
export function writeReturnedGoods(tx: Db, work: ReturnWork): Promise<number> {
  const { order, sale, form, sums, key, shift, now } = work
  const lines = form.lines.map(({ spoiled, ...line }) => ({ ...line, isSpoiled: spoiled }))
  const by = { shiftId: shift.id, approvedBy: namedApprover(work)?.id ?? null }
  return writeReturn(tx, { orderId: order.id, sold: sale, lines, sums, refund: sums.refund, reason: form.reason, key, at: now, by })
}

/** The money of a recorded return: ledger entries, history, log and the status of the order. */
export async function writeRefund(tx: Db, work: ReturnWork, refund: RecordedRefund): Promise<void> {
  await writeMoney(tx, work, refund)
  await close(tx, work, refund)
}

interface RecordedRefund {
  returnId: number
  refund: Refund
  publicUrl: string
  /** The sale that the customer takes instead. */
  exchangeOrderId?: number
}

/** The result of an earlier return with this idempotency key, or null. A concurrent request with the same key waits here for the first one. */
export async function findEarlierResult(tx: Db, key: ReturnKey): Promise<ReturnResult | null> {
  const earlier = await findEarlierReturn(tx, key)
  if (!earlier) return null
  return earlier.isSame ? { ok: true, returnId: earlier.id, recordedAt: earlier.at } : { ok: false, reason: 'key-reused' }
}

/** How the refund of a return is paid. */
export interface Refund {
  /** The part that pays for the sale that the customer takes instead. */
  exchanged: Poisha
  /** The rest, exact and as paid: what rounding adds to its cash. */
  paidBack: Poisha
  rounding: Poisha
}

interface RefundTerms {
  sums: ReturnSums
  form: Pick<ReturnForm, 'refund'>
  roundsCash: boolean
  /** Exact cash refunds of the sale so far less the cash given for them. */
  cashCarried: Poisha
}

/** The refund of a return of which a part is exchanged: the rest is paid back, its cash rounded where the shop rounds cash. */
export function refundOf({ sums, form: { refund: given }, roundsCash, cashCarried }: RefundTerms, exchanged: Poisha): Refund {
  const paidBack = poisha(sums.refund - exchanged)
  const cash = poisha(paidBack - noncashOf(given) - (given.store_credit ?? 0))
  const rounding = roundsCash && cash > 0 ? poisha(roundedRefund(cash, cashCarried) - cash) : ZERO
  return { exchanged, paidBack, rounding }
}

/** The error of a refund on screen that differs from the server's. */
export function findRefundError(
  { refund: given }: Pick<ReturnForm, 'refund'>,
  { paidBack, rounding }: Refund,
  { t, lang }: { t: Text; lang: Lang },
): ReturnRejection | null {
  const rounded = poisha(paidBack + rounding)
  if (tenderedOf(given) + (given.store_credit ?? 0) === rounded) return null
  const errors = { refund: [t('pos.return.changed', { amount: formatTaka(rounded, lang) })] }
  return { ok: false, reason: 'changed', errors, refund: rounded }
}

/** An error of the refund of a sale: its sum, or what is paid back as store credit. */
export async function findReturnError(tx: Db, work: ReturnWork, refund: Refund, t: Text): Promise<ReturnRejection | null> {
  const { form, sale, lang } = work
  const credit = { customer: { id: sale.customerId }, refund: refund.paidBack, storeCredit: form.refund.store_credit ?? ZERO }
  const errors = await findCreditRefundErrors(tx, credit, sale, { t, lang })
  return errors ? { ok: false, reason: 'invalid', errors } : findRefundError(form, refund, { t, lang })
}

/** The rejection of a return that a supervisor must approve; null where it may be recorded. */
export function approvalRejection({ approver, settings, sale, sums, now, lang }: ReturnWork): ReturnRejection | null {
  if (approver !== 'missing') return null
  const errors = { supervisor: [returnApprovalText(settings.pos_return, sale, now, lang)] }
  return { ok: false, reason: 'approval', errors, refund: sums.refund }
}

const namedApprover = ({ approver }: ReturnWork): ReturnApprover | null => (approver === 'missing' ? null : approver)

/** Records the money paid back, and the return that lowers what the order costs. */
async function writeMoney(
  tx: Db,
  { order, sale, form, sums, clerk, shift: { id: shiftId }, now }: ReturnWork,
  { returnId, refund: { exchanged, rounding }, exchangeOrderId }: RecordedRefund,
): Promise<void> {
  const entry = { orderId: order.id, actorId: clerk.id, at: now }
  for (const { method, amount } of refundsByMethod(form)) {
    const reference = refundReference(form, method)
    await addLedgerEntry(tx, { ...entry, kind: 'refund', method, amount: poisha(-amount), reference, shiftId })
  }
  const storeCredit = form.refund.store_credit ?? ZERO
  await addStoreCredit(tx, returnId, { customer: { id: sale.customerId }, storeCredit, actorId: clerk.id, at: now })
  if (exchanged > 0) {
    const reference = `sale-${exchangeOrderId}`
    await addLedgerEntry(tx, { ...entry, kind: 'refund', method: 'exchange', amount: poisha(-exchanged), reference, shiftId })
  }
  if (rounding !== 0)
    await addLedgerEntry(tx, { ...entry, kind: 'rounding', method: 'rounding', amount: rounding, reference: null, shiftId })
  await writeReturnEntry(tx, { orderId: order.id, returnId, sold: sale, sums }, clerk, now)
}

async function close(
  tx: Db,
  work: ReturnWork,
  { returnId, refund: { exchanged, rounding }, exchangeOrderId, publicUrl }: RecordedRefund,
): Promise<void> {
  const { order, sale, form, sums, clerk, settings, now } = work
  const money = Object.fromEntries(refundsByMethod(form).map(({ method, amount }) => [method, poishaToTaka(amount)]))
  const lines = form.lines.map(({ productId, quantityMilli, spoiled }) => ({
    name: sale.lines.find((one) => one.productId === productId)!.name,
    quantity: quantityMilli / 1000,
    ...(spoiled ? { spoiled } : {}),
  }))
  const approver = namedApprover(work)
  const approved = approver?.name ? { approved: { by: approver.name } } : {}
  const detail = {
    return_id: returnId,
    refund: poishaToTaka(sums.refund),
    ...money,
    ...(exchangeOrderId ? { exchange: poishaToTaka(exchanged), exchange_order: exchangeOrderId } : {}),
    ...(rounding === 0 ? {} : { rounding: poishaToTaka(rounding) }),
    lines,
    reason: form.reason,
    ...approved,
  }
  await addOrderEvent(tx, order.id, clerk, now, { kind: 'goods-returned', detail })
  await audit(tx, clerk, { action: 'refunded', subject: 'order', id: order.id, after: detail })
  if (sums.isAll) await writeStatus(tx, order, { to: 'returned', reason: form.reason }, clerk, { now, settings, publicUrl })
  else await raiseOrderVersion(tx, order.id, now)
}
