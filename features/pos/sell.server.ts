import { sql } from 'kysely'
import { audit } from '#features/audit/audit.server.ts'
import type { AreaFacts } from '#features/catalog/shop-facts.server.ts'
import { Refused, type OfficeDeps, type OrderClerk } from '#features/orders/office/office-deps.ts'
import {
  type FieldErrors,
  missingErrors,
  type OfficeGoods,
  priceLines,
  readGoods,
  type Text,
} from '#features/orders/office/office-goods.server.ts'
import { type OfficeLine, type OfficeSums, officeSums } from '#features/orders/office/pricing-rules.ts'
import { findEarlierOrder, lockGoods, type RequestKey, writeStaffOrder } from '#features/orders/office/write-order.server.ts'
import { noteOrder } from '#features/orders/order-writes.server.ts'
import { areaCharges, hashOfRequest } from '#features/orders/place-order.server.ts'
import { listDate } from '#features/orders/rules.ts'
import { sellPaidAnimals } from '#features/payments/commands/sell-animals.server.ts'
import { productFacts } from '#features/pricing/product-facts.server.ts'
import { deliveryCharge } from '#features/pricing/rules.ts'
import { constraintOf, inTransaction, type Db } from '#lib/db.server.ts'
import { translate } from '#lib/i18n.ts'
import type { Lang } from '#lib/lang.ts'
import { type Poisha, poishaToTaka, ZERO } from '#lib/money.ts'
import { type Exceptions, isNothing } from './approval-rules.ts'
import { type Approval, findApproval, freeHeld, saleExceptions, stillToApprove } from './approvals.server.ts'
import { walkInNames } from './customers.server.ts'
import type { SaleForm } from './forms.ts'
import { saleMoment } from './offline-rules.ts'
import { applyTender, changeOf, MEANS, PAYMENT_TOLERANCE, type Tender, tenderedOf } from './rules.ts'
import { findOpenShift } from './shift-queries.server.ts'
import { USED_TRANSACTION, usedTransactions } from './transaction-ids.server.ts'
import { countWhatIsGone, saleKey } from './unsent.server.ts'

/** What the shop's own sums are, for a till that saw others. */
export interface SaleSums {
  sub_total: number
  shipping_cost: number
  total: number
  products: { id: number; price: number }[]
}

export type SaleResult =
  | { ok: true; orderId: number; replayed: boolean }
  | { ok: false; reason: 'invalid'; errors: FieldErrors }
  | { ok: false; reason: 'changed'; errors: FieldErrors; sums: SaleSums }
  | { ok: false; reason: 'missing'; errors: FieldErrors; productIds: number[] }
  /** Not without a supervisor. */
  | { ok: false; reason: 'approval'; errors: FieldErrors; needed: Exceptions }
  | { ok: false; reason: 'key-reused' | 'no-shift' | 'other-cashier' | 'shift-closed' }

/**
 * Sells over the counter: customer, goods, stock, money and history in one transaction, in the cashier's open shift. The same key
 * again answers the first sale; what the till shows is compared with the shop's own sums.
 */
export async function sell(
  deps: OfficeDeps,
  form: SaleForm,
  clerk: OrderClerk,
  { lang, idempotencyKey, sentAt = null }: { lang: Lang; idempotencyKey: string; sentAt?: Date | null },
): Promise<SaleResult> {
  if (form.cashier_id !== null && form.cashier_id !== clerk.id) return { ok: false, reason: 'other-cashier' }
  const t = translate(lang) as Text
  const wanted = form.products.map((line) => ({
    productId: line.id,
    quantityMilli: line.quantity,
    price: line.price_is_set ? line.price : null,
  }))
  const area = form.delivery ? (await deps.facts.areas()).get(form.delivery.area_id) : undefined
  const { cutoff_hour: cutoffHour, till_discount: limit } = await deps.facts.settings()
  const key = { key: saleKey(clerk.id, idempotencyKey), hash: hashOfRequest(form) }
  try {
    const result = await inTransaction(deps.db, async (tx): Promise<SaleResult> => {
      const earlier = await findEarlierOrder(tx, key)
      if (earlier) return earlier
      const shift = await findOpenShift(tx, clerk.id, 'share')
      if (!shift) return { ok: false, reason: 'no-shift' }
      if (form.shift_id !== null && form.shift_id !== shift.id) return { ok: false, reason: 'shift-closed' }
      // Locked before their prices are read: what is compared is what is written.
      await lockGoods(
        tx,
        wanted.map((line) => line.productId),
      )
      const goods = await readGoods(tx, wanted)
      const { lines, errors } = priceLines(wanted, goods, true, t, lang)
      if (Object.keys(errors).length > 0) return { ok: false, reason: 'invalid', errors: tillErrors(errors) }
      const priced = priceSale(form, lines, goods, area, t)
      if (!priced.ok) return priced
      const asked = saleExceptions(lines, goods, form.discount ?? ZERO, limit)
      const approval = isNothing(asked) ? null : await findApproval(tx, shift.id, idempotencyKey, clerk)
      const refusal = stillToApprove(form, asked, approval, goods, { t, lang })
      if (refusal) return refusal
      await freeHeld(tx, asked.held)
      const now = deps.now()
      // After every other refusal: what was counted in would stay.
      if (form.goods_are_gone && form.sold_at) await countWhatIsGone(tx, clerk, wanted)
      const soldAt = saleMoment({ soldAt: form.sold_at, sentAt }, shift.openedAt, now)
      const sale = { form, key, lines, goods, ...priced, asked, approval, shiftId: shift.id, clerk, lang, now, soldAt, cutoffHour }
      return { ok: true, orderId: await write(tx, sale), replayed: false }
    })
    if (result.ok && !result.replayed) deps.catalogueChanged()
    return result
  } catch (error) {
    if (constraintOf(error) === USED_TRANSACTION)
      return { ok: false, reason: 'invalid', errors: await usedTransactions(deps.db, form.transaction_ids, t) }
    if (!(error instanceof Refused)) throw error
    const errors = tillErrors(await missingErrors(deps.db, error.missing, wanted, t, lang))
    return { ok: false, reason: 'missing', errors, productIds: error.missing.map((one) => one.product_id) }
  }
}

/** The till calls a line's product `id`. */
function tillErrors(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(Object.entries(errors).map(([field, texts]) => [field.replace(/product_id$/, 'id'), texts]))
}

type Priced = { ok: true; sums: OfficeSums; applied: Tender; tender: Tender; change: Poisha }

function priceSale(
  form: SaleForm,
  lines: readonly OfficeLine[],
  goods: OfficeGoods,
  area: AreaFacts | undefined,
  t: Text,
): Priced | Exclude<SaleResult, { ok: true }> {
  const invalid = (field: string, text: string) => ({ ok: false as const, reason: 'invalid' as const, errors: { [field]: [text] } })
  if (form.delivery && !area) return invalid('delivery.area_id', t('details.area-unknown'))
  const items = lines.flatMap((line) => goods.rows.get(line.productId) ?? []).map((row) => productFacts(row, 'en'))
  const charge = area ? deliveryCharge(items, areaCharges(area)) : ({ ok: true, value: ZERO } as const)
  if (!charge.ok) return invalid('delivery.area_id', t(`refusal.${charge.reason}`))
  const sums = officeSums(lines, charge.value, form.discount ?? ZERO)
  if (!sums) return invalid('discount', t('office-orders.discount-too-high'))
  const changed = whatChanged(form, lines, sums, t)
  if (changed) return changed
  if (sums.total <= 0) return invalid('total', t('pos.total-zero'))
  const { cash, bkash, bank } = form.transactions
  const tender = { cash: cash ?? ZERO, bkash: bkash ?? ZERO, bank: bank ?? ZERO }
  const change = form.change_amount ?? changeOf(tender, sums.total)
  const paid = applyTender(tender, change, sums.total, form.paid_amount)
  if (!paid.ok) return invalid('transactions', t(`pos.tender.${paid.problem}`))
  return { ok: true, sums, applied: paid.applied, tender, change }
}

/** What the till showed and the shop would not ask, with the shop's own sums; null when they agree. */
function whatChanged(form: SaleForm, lines: readonly OfficeLine[], sums: OfficeSums, t: Text): Exclude<SaleResult, { ok: true }> | null {
  const goods = lines.reduce((total, line) => total + line.total, 0) as Poisha
  const differs = (sent: Poisha | null, own: Poisha) => sent !== null && Math.abs(sent - own) > PAYMENT_TOLERANCE
  const errors: FieldErrors = {}
  const say = (field: string, own: Poisha) => (errors[field] = [t('pos.changed', { amount: String(poishaToTaka(own)) })])
  form.products.forEach((sent, at) => {
    const line = lines[at]
    if (line && sent.price !== null && sent.price !== line.price) say(`products.${at}.price`, line.price)
  })
  if (differs(form.sub_total, goods)) say('sub_total', goods)
  if (differs(form.shipping_cost, sums.shipping)) say('shipping_cost', sums.shipping)
  if (differs(form.total, sums.total)) say('total', sums.total)
  if (Object.keys(errors).length === 0) return null
  const products = lines.map((line) => ({ id: line.productId, price: poishaToTaka(line.price) }))
  const own = { sub_total: poishaToTaka(goods), shipping_cost: poishaToTaka(sums.shipping), total: poishaToTaka(sums.total), products }
  return { ok: false, reason: 'changed', errors, sums: own }
}

interface Sale extends Priced {
  asked: Exceptions
  approval: Approval | null
  form: SaleForm
  key: RequestKey
  lines: readonly OfficeLine[]
  goods: OfficeGoods
  shiftId: number
  clerk: OrderClerk
  lang: Lang
  now: Date
  /** Earlier than now when it waited for the network. */
  soldAt: Date
  cutoffHour: number
}

async function write(tx: Db, sale: Sale): Promise<number> {
  const { clerk, form, now, soldAt, sums, lines } = sale
  const status = form.delivery ? 'processing' : 'completed'
  const id = await writeStaffOrder(tx, { ...(await orderRecord(tx, sale)), status }, lines, sale.goods)
  const rows = MEANS.filter((method) => sale.applied[method] !== 0)
  for (const method of rows)
    await sql`insert into ledger_entries (order_id, kind, method, amount_poisha, reference, actor_id, at, shift_id)
      values (${id}, 'counter', ${method}, ${sale.applied[method]}, ${method === 'cash' ? null : form.transaction_ids[method]},
        ${clerk.id}, ${soldAt}, ${sale.shiftId})`.execute(tx)
  await sql`insert into till_sales (order_id, shift_id, tendered_poisha, change_poisha)
    values (${id}, ${sale.shiftId}, ${tenderedOf(sale.tender)}, ${sale.change})`.execute(tx)
  if (form.delivery) await sellPaidAnimals(tx, id)
  const paid = Object.fromEntries(rows.map((method) => [method, poishaToTaka(sale.applied[method])]))
  const approved = approvedDetail(sale)
  if (sale.approval?.id) await sql`update till_approvals set order_id = ${id} where id = ${sale.approval.id}`.execute(tx)
  await noteOrder(tx, id, { kind: 'staff', id: clerk.id }, now, {
    kind: 'placed',
    to: status,
    detail: { paid, ...(soldAt < now ? { sold_at: soldAt } : {}), ...approved },
  })
  const after = {
    phone: form.customer.phone,
    total: poishaToTaka(sums.total),
    discount: poishaToTaka(form.discount ?? ZERO),
    paid,
    ...approved,
  }
  await audit(tx, clerk, { action: 'created', subject: 'order', id, after })
  return id
}

/** For history and log: what a cashier does not do alone, and who approved it. */
function approvedDetail({ asked, approval }: Sale): object {
  if (!approval) return {}
  const prices = asked.prices.map(({ id, price }) => ({ id, price: poishaToTaka(price) }))
  const { name: by } = approval
  return {
    approved: {
      by,
      discount: poishaToTaka(asked.discount),
      ...(prices[0] ? { prices } : {}),
      ...(asked.held[0] ? { held: asked.held } : {}),
    },
  }
}

/** Somebody who only says his number keeps the name that the shop knows, or none. */
async function orderRecord(tx: Db, { form, key, sums, lang, now, soldAt, cutoffHour }: Sale) {
  const { phone, email } = form.customer
  const placeholders = walkInNames()
  const known = await sql<{ name: string }>`select name from users where phone = ${phone}`.execute(tx)
  const name = form.customer.name || (known.rows[0]?.name ?? translate(lang)('pos.walk-in'))
  const about = { source: 'pos', reason: null, landmark: '', note: '', remarks: '', lang, listOn: listDate(now, cutoffHour) } as const
  const place = { address: form.delivery?.address ?? '', areaId: form.delivery?.area_id ?? null }
  return { ...about, ...place, name, phone, email, sums, paymentType: 'full', payable: sums.total, now: soldAt, key, placeholders } as const
}
