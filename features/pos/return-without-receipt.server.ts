import { audit } from '#features/audit/audit.server.ts'
import type { StaffActor } from '#features/auth/permissions.ts'
import type { SoldProductRow } from '#features/catalog/product-rows.server.ts'
import { lineTotal, unitPriceAfterDiscount } from '#features/catalog/shown-price-rules.ts'
import { isPossibleQuantity } from '#features/catalog/quantity-rules.ts'
import { addLedgerEntry, USED_TRANSACTION } from '#features/ledger/ledger.server.ts'
import { type FieldErrors, loadProducts } from '#features/orders/editing/order-line-pricing.server.ts'
import type { AdminDeps } from '#features/orders/order-deps.ts'
import { toQuoteProduct } from '#features/pricing/quote-product.server.ts'
import { lockProducts, takeBackStock } from '#features/stock/stock.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { closeKeys, findResult } from '#lib/db/idempotency.server.ts'
import { textByKey, type Text } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatTaka, poisha, type Poisha, poishaToTaka, sum, takaToPoisha, ZERO } from '#lib/format/money.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { requestHash } from '#lib/http/idempotency-key.server.ts'
import { findDrawerError } from './drawer-refusal.server.ts'
import type { ReceiptlessReturnForm } from './forms.ts'
import { MAX_RECEIPTLESS_QUANTITY, MAX_RECEIPTLESS_TAKA } from './limits.ts'
import { addStoreCredit, findCreditRefundErrors } from './account/store-credit.server.ts'
import { refundReference, refundsByMethod } from './refund-methods.ts'
import { refundMethodErrors } from './refund-method-errors.server.ts'
import { findEarlierResult, findRefundError, refundOf, type ReturnResult } from './return-products.server.ts'
import { findOpenShift, type OpenShift } from './shift-queries.server.ts'
import { hasPosDecimals } from './rules.ts'
import { checkSupervisor, type Supervisor, type SupervisorDeps } from './supervisors.server.ts'
import { usedTransactions } from './transaction-ids.server.ts'

type Form = Omit<ReceiptlessReturnForm, 'supervisor'>

/**
 * Records a return whose sale is not found: no order, but the customer's phone, a reason and always a supervisor. Stock, refund and log are
 * written in one transaction in the cashier's open shift. The same key returns the first result.
 */
export async function returnWithoutReceipt(
  deps: AdminDeps & SupervisorDeps,
  { supervisor: typed, ...form }: ReceiptlessReturnForm,
  clerk: StaffActor,
  { lang, idempotencyKey, earlier = [] }: { lang: Lang; idempotencyKey: string; earlier?: readonly string[] },
): Promise<ReturnResult> {
  const t = textByKey(lang)
  const settings = await deps.shopCache.settings()
  const keyOf = (given: string) => `return-${clerk.id}:${given}`
  const key = { key: keyOf(idempotencyKey), hash: requestHash({ orderId: null, form }) }
  const checked = typed && (await checkSupervisor(deps, clerk, typed))
  if (checked && !checked.ok) return checked
  const supervisor = clerk.can('pos.approve') ? { id: clerk.id, name: '' } : (checked?.supervisor ?? null)
  try {
    const result = await inTransaction(deps.db, async (tx): Promise<ReturnResult> => {
      const recorded = await findEarlierResult(tx, key)
      if (recorded) return recorded
      const shift = await findOpenShift(tx, clerk.id, 'update')
      if (!shift) return { ok: false, reason: 'no-shift' }
      // The same return with other inputs: its answer was lost. One that is still running has locked the shift.
      const attempt = await findReturnOfKeys(tx, earlier.map(keyOf))
      if (attempt) return { ok: true, returnId: attempt.id, recordedAt: attempt.at }
      // A later attempt has arrived before this one.
      if (await findResult(tx, [key.key])) return { ok: false, reason: 'key-reused' }
      await lockProducts(
        tx,
        form.lines.map(({ productId }) => productId),
      )
      const { rows: products } = await loadProducts(tx, form.lines)
      const errors = { ...lineErrors(form, products, t, lang), ...refundMethodErrors(form.refund, settings, t) }
      if (Object.keys(errors).length > 0) return { ok: false, reason: 'invalid', errors }
      const worth = sum(form.lines.map(({ price, quantityMilli }) => lineTotal(price, quantityMilli)))
      const sums = { worth, refund: worth, isAll: false }
      const refund = refundOf({ sums, form, roundsCash: settings.cash_rounding, cashCarried: ZERO }, ZERO)
      const credit = { customer: { phone: form.phone }, refund: worth, storeCredit: form.refund.store_credit ?? ZERO }
      const creditErrors = await findCreditRefundErrors(tx, credit, null, { t, lang })
      if (creditErrors) return { ok: false, reason: 'invalid', errors: creditErrors }
      const rejection = worthError(worth, t, lang) ?? findRefundError(form, refund, { t, lang })
      if (rejection) return rejection
      if (!supervisor) {
        return { ok: false, reason: 'approval', errors: { supervisor: [t('pos.receiptless.approval')] }, refund: worth }
      }
      const drawerError = await findDrawerError(tx, { shift, clerk, form }, t)
      if (drawerError) return drawerError
      const work = { form, key, clerk, supervisor, shift, worth, rounding: refund.rounding, products, now: deps.now() }
      const returnId = await write(tx, work)
      await closeKeys(tx, earlier.map(keyOf), { returnId })
      return { ok: true, returnId }
    })
    if (result.ok) deps.catalogChanged()
    return result
  } catch (error) {
    if (constraintOf(error) !== USED_TRANSACTION) throw error
    return { ok: false, reason: 'invalid', errors: await usedTransactions(deps.db, form.transaction_ids, t) }
  }
}

async function findReturnOfKeys(tx: Db, keys: readonly string[]): Promise<{ id: number; at: Date } | undefined> {
  return keys.length === 0
    ? undefined
    : tx.selectFrom('pos_returns').select(['id', 'at']).where('idempotency_key', 'in', keys).executeTakeFirst()
}

/** A product is listed once, is no animal, has a possible quantity, and its price is at most the current one. */
function lineErrors(form: Form, products: ReadonlyMap<number, SoldProductRow>, t: Text, lang: Lang): FieldErrors {
  const errors: FieldErrors = {}
  const listed = new Set<number>()
  form.lines.forEach(({ productId, quantityMilli, price }, at) => {
    const row = products.get(productId)
    const name = (lang === 'bn' ? row?.name_bn : row?.name_en) ?? ''
    const add = (field: string, text: string) => (errors[`lines.${at}.${field}`] = [text])
    if (!row) add('product_id', t('refusal.unknown-product', { name }))
    else if (listed.has(productId)) add('product_id', t('refusal.listed-twice', { name }))
    else if (row.is_unique) add('product_id', t('pos.receiptless.animal', { name }))
    else if (!isPossibleQuantity(quantityMilli, { isUnique: false, sizesMilli: row.sizes_milli, unit: row.unit }))
      add('quantity', t('refusal.quantity-not-allowed', { name }))
    else if (!hasPosDecimals(quantityMilli, row.sizes_milli)) add('quantity', t('pos.quantity-invalid'))
    else if (quantityMilli > MAX_RECEIPTLESS_QUANTITY * 1000)
      add('quantity', t('pos.receiptless.too-many', { max: formatNumber(MAX_RECEIPTLESS_QUANTITY, lang) }))
    else if (price > currentPrice(row)) add('price', t('pos.receiptless.price', { max: formatTaka(currentPrice(row), lang) }))
    listed.add(productId)
  })
  return errors
}

/** The price of a unit today, after the discount of the product. */
function currentPrice(row: SoldProductRow): Poisha {
  const { basePrice, discount } = toQuoteProduct(row, 'en')
  return unitPriceAfterDiscount(basePrice, discount)
}

function worthError(worth: Poisha, t: Text, lang: Lang): Extract<ReturnResult, { reason: 'invalid' }> | null {
  const invalid = (text: string) => ({ ok: false as const, reason: 'invalid' as const, errors: { lines: [text] } })
  if (worth <= 0) return invalid(t('pos.receiptless.nothing'))
  const max = takaToPoisha(MAX_RECEIPTLESS_TAKA)
  return worth > max ? invalid(t('pos.receiptless.too-much', { max: formatTaka(max, lang) })) : null
}

interface Work {
  form: Form
  key: { key: string; hash: string }
  clerk: StaffActor
  supervisor: Supervisor
  shift: OpenShift
  worth: Poisha
  rounding: Poisha
  products: ReadonlyMap<number, SoldProductRow>
  now: Date
}

async function write(tx: Db, work: Work): Promise<number> {
  const { form, key, supervisor, shift, worth, now } = work
  const { id } = await tx
    .insertInto('pos_returns')
    .values({
      order_id: null,
      phone: form.phone,
      shift_id: shift.id,
      at: now,
      reason: form.reason,
      worth_poisha: worth,
      refund_poisha: worth,
      idempotency_key: key.key,
      request_hash: Buffer.from(key.hash, 'hex'),
      approved_by: supervisor.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const lines = form.lines.map(({ productId, quantityMilli, price, spoiled }) => {
    const goods = lineTotal(price, quantityMilli)
    return { return_id: id, product_id: productId, quantity_milli: quantityMilli, goods_poisha: goods, is_spoiled: spoiled }
  })
  await tx.insertInto('pos_return_lines').values(lines).execute()
  const isCounted = ({ productId }: { productId: number }) => work.products.get(productId)?.stock_milli !== null
  await takeBackStock(
    tx,
    form.lines.filter(isCounted).map(({ spoiled, ...line }) => ({ ...line, isSpoiled: spoiled })),
  )
  await writeMoney(tx, work, id)
  return id
}

/** The refund in the ledger of the shift, and the log. */
async function writeMoney(
  tx: Db,
  { form, clerk, supervisor, shift, worth, rounding, products, now }: Work,
  returnId: number,
): Promise<void> {
  const entry = { orderId: null, returnId, actorId: clerk.id, at: now, shiftId: shift.id }
  const refunds = refundsByMethod(form)
  for (const { method, amount } of refunds) {
    const reference = refundReference(form, method)
    await addLedgerEntry(tx, { ...entry, kind: 'refund', method, amount: poisha(-amount), reference })
  }
  const storeCredit = form.refund.store_credit ?? ZERO
  await addStoreCredit(tx, returnId, { customer: { phone: form.phone }, storeCredit, actorId: clerk.id, at: now })
  if (rounding !== 0) await addLedgerEntry(tx, { ...entry, kind: 'rounding', method: 'rounding', amount: rounding, reference: null })
  const lines = form.lines.map(({ productId, quantityMilli, spoiled }) => ({
    name: products.get(productId)?.name_en,
    quantity: quantityMilli / 1000,
    ...(spoiled ? { spoiled } : {}),
  }))
  const after = {
    return_id: returnId,
    without_receipt: true,
    phone: form.phone,
    refund: poishaToTaka(worth),
    ...Object.fromEntries(refunds.map(({ method, amount }) => [method, poishaToTaka(amount)])),
    lines,
    reason: form.reason,
    approved: { by: supervisor.name || null, id: supervisor.id },
  }
  await audit(tx, clerk, { action: 'refunded', subject: 'shift', id: shift.id, after })
}
