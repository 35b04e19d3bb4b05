import { sql } from 'kysely'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { audit } from '#features/audit/audit.server.ts'
import { writeStatus } from '#features/orders/status/change-status.server.ts'
import { addLedgerEntry } from '#features/ledger/ledger.server.ts'
import { lockProducts, returnStock } from '#features/stock/stock.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import type { StaffActor } from '#features/auth/permissions.ts'
import type { AdminDeps } from '#features/orders/order-deps.ts'
import type { FieldErrors, Text } from '#features/orders/editing/order-line-pricing.server.ts'
import { lockOrder, type LockedOrder } from '#features/orders/order-locks.server.ts'
import { requestHash } from '#features/orders/checkout/place-order.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatTaka, poisha, type Poisha, poishaToTaka, takaToPoisha, ZERO } from '#lib/format/money.ts'
import { formatNumber, formatQuantity } from '#lib/format/numbers.ts'
import type { ReturnForm } from './forms.ts'
import {
  isReturnable,
  lineValue,
  isTooOldToReturn,
  refundAllowance,
  type RefundLimit,
  type ReturnSums,
  returnSums,
} from './return-rules.ts'
import { roundedRefund } from './rounding-rules.ts'
import { enabledMethods, methodNotAllowed, noncashOf, PAYMENT_METHODS, tenderedOf } from './rules.ts'
import { sumShift, findOpenShift, type OpenShift } from './shift-queries.server.ts'
import { findSoldSale, returnableQuantity, readRefundLimit, type SoldSale } from './sale-queries.server.ts'
import { checkSupervisor, type Supervisor, type SupervisorDeps, type SupervisorRejection } from './supervisors.server.ts'
import { USED_TRANSACTION, usedTransactions } from './transaction-ids.server.ts'

export type ReturnResult =
  | { ok: true; returnId: number }
  | { ok: false; reason: 'invalid'; errors: FieldErrors }
  /** The requested refund differs from the server's. */
  | { ok: false; reason: 'changed'; errors: FieldErrors; refund: Poisha }
  /** Beyond the cashier's refund limit. */
  | { ok: false; reason: 'approval'; errors: FieldErrors; refund: Poisha }
  | SupervisorRejection
  | { ok: false; reason: 'key-reused' | 'no-shift' | 'not-found' | 'not-out' | 'settled' }

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
  const t = translate(lang) as Text
  const settings = await deps.shopCache.settings()
  const key = { key: `return-${clerk.id}:${idempotencyKey}`, hash: requestHash({ orderId, form }) }
  const checked = typed && (await checkSupervisor(deps, clerk, typed))
  if (checked && !checked.ok) return checked
  try {
    const result = await inTransaction(deps.db, async (tx): Promise<ReturnResult> => {
      const earlier = await findEarlierReturn(tx, key)
      if (earlier) return earlier
      const shift = await findOpenShift(tx, clerk.id, 'update')
      if (!shift) return { ok: false, reason: 'no-shift' }
      const order = await lockOrder(tx, orderId)
      const sale = order && (await findSoldSale(tx, orderId, lang))
      if (!order || !sale) return { ok: false, reason: 'not-found' }
      if (!isReturnable(order.status)) return { ok: false, reason: 'not-out' }
      if (sale.isSettled) return { ok: false, reason: 'settled' }
      const errors = { ...lineErrors(sale, form, t, lang), ...methodErrors(sale, form, settings, t) }
      if (Object.keys(errors).length > 0) return { ok: false, reason: 'invalid', errors }
      const sums = returnSums(sale, form.lines)
      const rounding = refundRounding(sale, sums, form, settings.cash_rounding)
      const moneyError = await findRefundError(tx, shift, { sums, rounding }, form, t)
      if (moneyError) return moneyError
      const now = deps.now()
      const approver = await approverOf(tx, clerk, sale, sums, {
        limit: settings.till_return,
        supervisor: checked?.supervisor ?? null,
        now,
      })
      if (approver === 'missing') {
        const errors = { supervisor: [approvalText(settings.till_return, sale, now, lang)] }
        return { ok: false, reason: 'approval', errors, refund: sums.refund }
      }
      // Locked before rows that reference the products are inserted: their foreign-key locks would deadlock two returns of the same products.
      await lockProducts(
        tx,
        form.lines.map((line) => line.productId),
      )
      const work = { order, sale, form, sums, rounding, key, clerk, approver, shiftId: shift.id, now }
      const returnId = await writeReturn(tx, work)
      const returned = form.lines.map(({ spoiled, ...line }) => ({ ...line, isSpoiled: spoiled }))
      await returnStock(tx, orderId, returned)
      await writeMoney(tx, work, returnId)
      await close(tx, work, returnId, { settings, publicUrl: deps.env.publicUrl })
      return { ok: true, returnId }
    })
    if (result.ok) deps.catalogChanged()
    return result
  } catch (error) {
    if (constraintOf(error) !== USED_TRANSACTION) throw error
    return { ok: false, reason: 'invalid', errors: await usedTransactions(deps.db, form.transaction_ids, t) }
  }
}

async function findEarlierReturn(tx: Db, { key, hash }: { key: string; hash: string }): Promise<ReturnResult | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
  const { rows } = await sql<{ id: number; same: boolean }>`
    select id, request_hash = decode(${hash}, 'hex') as same from pos_returns where idempotency_key = ${key}`.execute(tx)
  const earlier = rows[0]
  if (!earlier) return null
  return earlier.same ? { ok: true, returnId: earlier.id } : { ok: false, reason: 'key-reused' }
}

function lineErrors(sale: SoldSale, form: Form, t: Text, lang: Lang): FieldErrors {
  const errors: FieldErrors = {}
  const listed = new Set<number>()
  form.lines.forEach(({ productId, quantityMilli }, index) => {
    const line = sale.lines.find((one) => one.productId === productId)
    if (!line) errors[`lines.${index}.product_id`] = [t('pos.return.not-sold')]
    else if (listed.has(productId)) errors[`lines.${index}.product_id`] = [t('refusal.listed-twice', { name: line.name })]
    else if (quantityMilli > returnableQuantity(line))
      errors[`lines.${index}.quantity`] = [t('pos.return.too-many', { left: formatQuantity(returnableQuantity(line), line.unit, lang) })]
    listed.add(productId)
  })
  return errors
}

/** A refund by a method that is switched off, and that the sale was not paid with. */
function methodErrors(sale: SoldSale, form: Form, { pos_methods }: Settings, t: Text): FieldErrors {
  const method = methodNotAllowed(form.refund, [...enabledMethods(pos_methods), ...sale.extraMethods])
  return method ? { [`refund.${method}`]: [t('pos.method-off', { method: t(`pos.${method}`) })] } : {}
}

/** What rounding adds to the cash of the refund; negative: takes off. */
function refundRounding(sale: SoldSale, { refund }: ReturnSums, { refund: given }: Form, roundsCash: boolean): Poisha {
  const cash = poisha(refund - noncashOf(given))
  return roundsCash && cash > 0 ? poisha(roundedRefund(cash, sale.cashCarried) - cash) : ZERO
}

async function findRefundError(
  tx: Db,
  shift: OpenShift,
  { sums: { refund }, rounding }: { sums: ReturnSums; rounding: Poisha },
  { refund: given }: Form,
  t: Text,
): Promise<Extract<ReturnResult, { ok: false }> | null> {
  const rounded = poisha(refund + rounding)
  if (tenderedOf(given) !== rounded) {
    const errors = { refund: [t('pos.return.changed', { amount: String(poishaToTaka(rounded)) })] }
    return { ok: false, reason: 'changed', errors, refund: rounded }
  }
  const { cashPoisha, movesPoisha } = await sumShift(tx, shift.id)
  if (given.cash <= shift.openingCashPoisha + cashPoisha + movesPoisha) return null
  return { ok: false, reason: 'invalid', errors: { 'refund.cash': [t('pos.more-than-there-is')] } }
}

/** The supervisor who approves this return, null where the cashier may refund alone; `missing` where one is needed. */
async function approverOf(
  tx: Db,
  clerk: StaffActor,
  sale: SoldSale,
  { refund }: ReturnSums,
  { limit, supervisor, now }: { limit: RefundLimit; supervisor: Supervisor | null; now: Date },
): Promise<{ id: number; name: string | null } | null | 'missing'> {
  if (clerk.can('pos.approve')) return { id: clerk.id, name: null }
  const refunded = await readRefundLimit(tx, { orderId: sale.id, cashierId: clerk.id, now })
  if (refund <= refundAllowance(limit, refunded, new Date(sale.placedAt), now)) return null
  return supervisor ?? 'missing'
}

function approvalText(limit: RefundLimit, sale: SoldSale, now: Date, lang: Lang): string {
  const t = translate(lang)
  if (isTooOldToReturn(limit, new Date(sale.placedAt), now)) return t('pos.return.too-old', { days: formatNumber(limit.days, lang) })
  const taka = (amount: number) => formatTaka(takaToPoisha(amount), lang)
  return t('pos.return.approval', { sale: taka(limit.taka), day: taka(limit.day_taka) })
}

type Form = Omit<ReturnForm, 'supervisor'>

interface Work {
  order: LockedOrder
  sale: SoldSale
  form: Form
  sums: ReturnSums
  rounding: Poisha
  key: { key: string; hash: string }
  clerk: StaffActor
  approver: { id: number; name: string | null } | null
  shiftId: number
  now: Date
}

async function writeReturn(tx: Db, { order, sale, form, sums, key, approver, shiftId, now }: Work): Promise<number> {
  const { id } = await tx
    .insertInto('pos_returns')
    .values({
      order_id: order.id,
      shift_id: shiftId,
      at: now,
      reason: form.reason,
      worth_poisha: sums.worth,
      refund_poisha: sums.refund,
      idempotency_key: key.key,
      request_hash: Buffer.from(key.hash, 'hex'),
      approved_by: approver?.id ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const lines = form.lines.map(({ productId, quantityMilli, spoiled }) => {
    const line = sale.lines.find((one) => one.productId === productId)!
    const goods = lineValue(line, line.returnedMilli + quantityMilli) - lineValue(line, line.returnedMilli)
    return { return_id: id, product_id: productId, quantity_milli: quantityMilli, goods_poisha: goods, is_spoiled: spoiled }
  })
  await tx.insertInto('pos_return_lines').values(lines).execute()
  return id
}

const refundedBy = ({ refund }: Form) =>
  PAYMENT_METHODS.map((method) => ({ method, amount: refund[method] ?? ZERO })).filter(({ amount }) => amount > 0)

/**
 * Records the money paid back, and the return that lowers what the order costs. When everything is back, the order is `returned` and
 * costs nothing: earlier returns are reversed.
 */
async function writeMoney(tx: Db, { order, sale, form, sums, rounding, clerk, shiftId, now }: Work, returnId: number): Promise<void> {
  const entry = { orderId: order.id, actorId: clerk.id, at: now }
  for (const { method, amount } of refundedBy(form)) {
    const reference = method === 'cash' ? null : (form.transaction_ids[method] ?? null)
    await addLedgerEntry(tx, { ...entry, kind: 'refund', method, amount: poisha(-amount), reference, shiftId })
  }
  if (rounding !== 0)
    await addLedgerEntry(tx, { ...entry, kind: 'rounding', method: 'rounding', amount: rounding, reference: null, shiftId })
  const credit = sums.isAll ? poisha(-sale.returnedWorth) : sums.worth
  if (credit !== 0)
    await addLedgerEntry(tx, { ...entry, kind: 'return', method: 'return', amount: credit, reference: `return-${returnId}` })
}

async function close(
  tx: Db,
  { order, sale, form, sums, rounding, clerk, approver, now }: Work,
  returnId: number,
  shop: { settings: Awaited<ReturnType<AdminDeps['shopCache']['settings']>>; publicUrl: string },
): Promise<void> {
  const money = Object.fromEntries(refundedBy(form).map(({ method, amount }) => [method, poishaToTaka(amount)]))
  const lines = form.lines.map(({ productId, quantityMilli, spoiled }) => ({
    name: sale.lines.find((one) => one.productId === productId)!.name,
    quantity: quantityMilli / 1000,
    ...(spoiled ? { spoiled } : {}),
  }))
  const approved = approver?.name ? { approved: { by: approver.name } } : {}
  const detail = {
    return_id: returnId,
    refund: poishaToTaka(sums.refund),
    ...money,
    ...(rounding === 0 ? {} : { rounding: poishaToTaka(rounding) }),
    lines,
    reason: form.reason,
    ...approved,
  }
  await addOrderEvent(tx, order.id, clerk, now, { kind: 'goods-returned', detail })
  await audit(tx, clerk, { action: 'refunded', subject: 'order', id: order.id, after: detail })
  if (sums.isAll) await writeStatus(tx, order, { to: 'returned', reason: form.reason }, clerk, { now, ...shop })
  else await sql`update orders set version = version + 1, updated_at = ${now} where id = ${order.id}`.execute(tx)
}
