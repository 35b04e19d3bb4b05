import { sql } from 'kysely'
import { StockUnavailableError, sellHeldAnimals, syncOrderStock } from '#features/stock/stock.server.ts'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { audit } from '#features/audit/audit.server.ts'
import type { StaffActor } from '#features/auth/permissions.ts'
import { collectionAddress } from '#features/settings/collection-rules.ts'
import type { Settings } from '#features/settings/settings.ts'
import { sellPaidAnimals } from '#features/payments/commands/mark-animals-sold.server.ts'
import { inTransaction, type Db } from '#lib/db/db.server.ts'
import { toCamel } from '#lib/db/rows.ts'
import { textByKey, type Text } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { type Poisha, poishaToTaka, ZERO } from '#lib/format/money.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { type StatusChange, findStatusError, writeStatus } from '../status/change-status.server.ts'
import { mayBePartlyDelivered } from '../delivery-dates.server.ts'
import { lockOrder, type LockedOrder } from '../order-locks.server.ts'
import { newViewKey } from '../order-access-token.server.ts'
import { isSent, isEditable, isLive, type OrderStatus } from '../rules.ts'
import { cashOnDeliveryError, recordCashOnDelivery } from '../payments/cash-on-delivery.server.ts'
import { lockOrderDrawer, type OrderDrawer } from '../payments/order-drawer.server.ts'
import { reverseAdjustments } from '#features/ledger/adjustment-entries.server.ts'
import { CreditLimitError, creditLimitText, lockOrderAccount, requireCredit } from './account-credit.server.ts'
import { type EditableOrder, readEditable } from './editable-order.server.ts'
import { writeCouponUse, writeLineDiscounts } from './edited-coupon.server.ts'
import { type Edit, editedOrder } from './edited-order.server.ts'
import type { UpdateOrder } from './forms.ts'
import { type FieldErrors, missingErrors, missingResult } from './order-line-pricing.server.ts'
import type { AdminDeps } from '../order-deps.ts'
import type { AdminLine } from './pricing-rules.ts'
import { type MovedOrder, moveToPhone } from './move-to-phone.server.ts'
import { replaceLines } from './replace-lines.server.ts'

/** What an edit saved. `from`: the version that its form was opened with. */
interface SavedEdit {
  ok: true
  orderId: number
  from: number | undefined
  version: number
}

export type EditResult =
  | SavedEdit
  /** `changed`: the version is stale. */
  | { ok: false; reason: 'not-found' | 'not-editable' | 'changed' }
  | { ok: false; reason: 'invalid'; errors: FieldErrors }
  /** Products that are not for sale, or not in this quantity, for example an animal that another order has just reserved. */
  | { ok: false; reason: 'gone'; errors: FieldErrors; productIds: number[] }

/** What edits need of the shop. Read before a transaction: a cache that is not filled uses a connection of its own. */
export interface EditedShop {
  settings: Settings
  areas: Edit['areas']
}

/**
 * Saves an edited order in one transaction: contact, charges, lines with their stock, and status. Absent fields stay unchanged. Lines keep the
 * ordered price unless the form sets one. Of two concurrent edits the second is rejected by its version. `earlier` is the latest edit of the same
 * form whose answer was lost.
 */
export async function editOrder(
  deps: AdminDeps,
  orderId: number,
  form: UpdateOrder,
  clerk: StaffActor,
  { lang, isForm, shop, earlier }: { lang: Lang; isForm: boolean; shop: EditedShop; earlier: SavedEdit | null },
): Promise<EditResult> {
  const t = textByKey(lang)
  const context = { ...shop, collectAt: collectionAddress(shop.settings, 'bn'), now: deps.now(), publicUrl: deps.env.publicUrl }
  const lines = (form.products ?? []).map((line) => ({ productId: line.product_id }))
  try {
    return await inTransaction(deps.db, async (tx): Promise<EditResult> => {
      const drawer = await lockOrderDrawer(tx, clerk, form.drawer === true && (form.collected ?? ZERO) > 0 ? lang : null)
      const order = await lockOrder(tx, orderId)
      if (!order) return { ok: false, reason: 'not-found' }
      if (isStale(order, form, earlier)) return { ok: false, reason: 'changed' }
      const to = form.status === undefined || form.status === order.status ? null : form.status
      const move = to && findStatusError(order, statusChange(to, form, clerk))
      if (move && move.reason !== 'changed' && move.reason !== 'not-found') return invalid(statusErrors(move.reason, t))
      if (drawer === 'closed') return invalid({ collected: [t('admin-orders.drawer-closed')] })
      return save(tx, { order, form, isForm, clerk, drawer, to, t, lang, ...context })
    })
  } catch (error) {
    if (error instanceof CreditLimitError)
      return invalid({ [form.products === undefined && form.status ? 'status' : 'products']: [creditLimitText(error.account, lang)] })
    if (!(error instanceof StockUnavailableError)) throw error
    return missingResult(error.missing, await missingErrors(deps.db, error.missing, lines, t, lang))
  }
}

function invalid(errors: FieldErrors): EditResult {
  return { ok: false, reason: 'invalid', errors }
}

/**
 * Whether the order is no longer as its form shows it. The form's own earlier edit is no change by another person, unless it has taken the step that
 * is sent again with another reason or other money: neither is recorded twice.
 */
function isStale(order: LockedOrder, form: UpdateOrder, earlier: SavedEdit | null): boolean {
  if (form.version === undefined || form.version === order.version) return false
  const isOwn = earlier?.orderId === order.id && earlier.from === form.version && earlier.version === order.version
  return !isOwn || (form.status === order.status && (form.reason !== '' || (form.collected ?? ZERO) > 0))
}

function statusChange(to: OrderStatus, form: UpdateOrder, clerk: StaffActor): StatusChange {
  return { to, reason: form.reason, version: null, mayReopen: clerk.can('orders.reopen') }
}

function statusErrors(reason: 'reason-required' | 'no-such-step' | 'unavailable', t: Text): FieldErrors {
  return reason === 'reason-required' ? { reason: [t('admin-orders.reason-required')] } : { status: [t('admin-orders.no-such-step')] }
}

interface Saving extends Edit {
  order: LockedOrder
  /** The drawer that the collected cash goes into. */
  drawer: OrderDrawer | null
  to: OrderStatus | null
  settings: Settings
  publicUrl: string
}

async function save(tx: Db, saving: Saving): Promise<EditResult> {
  const { order, form, clerk, to, now } = saving
  const before = await readEditable(tx, order.id)
  const { after, lines, products, isJoined, errors } = await editedOrder(tx, saving, before)
  if (Object.keys(errors).length > 0 || !after) return invalid(errors)
  const changes = changesBetween(before, after)
  const isChanged = Object.keys(changes).length > 0
  const refusal = await editRefusal(tx, saving, changes, lines)
  if (refusal) return refusal
  const collected = form.collected ?? ZERO
  const cash = await cashOnDeliveryError(tx, order.id, { amount: collected, to, total: after.sums.total })
  if (cash) return invalid({ collected: [saving.t(`door.cash-${cash}`)] })
  const status = to ?? order.status
  // Products are locked before lines are written (lock order).
  if (isLive(status) !== isLive(order.status) || changes.lines) await syncStock(tx, order.id, status, before, lines)
  const account = await lockOrderAccount(tx, order)
  if (isChanged) {
    if (isJoined) await joinDeliveries(tx, order.id, now)
    await writeEdit(tx, order.id, after, { isNewPhone: changes.phone !== undefined, now })
    if (changes.lines) await replaceLines(tx, order.id, lines, products)
    await writeLineDiscounts(tx, order.id, before, after)
    await writeCouponUse(tx, order.id, before, after)
    if (changes.total) await reverseAdjustments(tx, order.id, clerk, now)
    await addOrderEvent(tx, order.id, clerk, now, { kind: 'edited', detail: changes })
    const moved = changes.phone ? await moveToPhone(tx, order.id, before.phone, after) : null
    await auditEdit(tx, clerk, order.id, [before, after], moved)
  }
  const version = await writeNewStatus(tx, saving, isChanged)
  await recordCashOnDelivery(tx, order, { amount: collected, drawer: saving.drawer }, clerk, now)
  await requireCredit(tx, account)
  return { ok: true, orderId: order.id, from: form.version, version: collected > 0 ? version + 1 : version }
}

/** `moved`: the customers before and after, if the order went to another one. */
async function auditEdit(
  tx: Db,
  clerk: StaffActor,
  id: number,
  [before, after]: [EditableOrder, EditableOrder],
  moved: MovedOrder | null,
): Promise<void> {
  const withCustomer = (edited: EditableOrder, customer: number | undefined) => ({ ...audited(edited), ...(customer && { customer }) })
  const entry = { before: withCustomer(before, moved?.from), after: withCustomer(after, moved?.to) }
  await audit(tx, clerk, { action: 'changed', subject: 'order', id, ...entry })
}

/** Writes the requested status and returns the order's version. Without one, marks the animals of an edited order as sold where they are. */
async function writeNewStatus(tx: Db, { order, form, clerk, to, now, settings, publicUrl }: Saving, isChanged: boolean): Promise<number> {
  if (to) return writeStatus(tx, order, { to, reason: form.reason }, clerk, { now, settings, publicUrl })
  if (!isChanged) return order.version
  if (isSent(order.status)) await sellHeldAnimals(tx, order.id)
  else if (isLive(order.status)) await sellPaidAnimals(tx, order.id)
  return order.version + 1
}

/** Whether the order may be edited in its status, or in the one that the same request sets. Orders with returns may not. */
function canEdit(order: LockedOrder, to: OrderStatus | null): boolean {
  return !order.hasReturns && (isEditable(order.status) || (to !== null && isEditable(to)))
}

/** The reason why the order may not have these changes; null when it may. */
async function editRefusal(
  tx: Db,
  { order, to, t }: Saving,
  changes: Record<string, unknown>,
  lines: readonly AdminLine[],
): Promise<EditResult | null> {
  if (Object.keys(changes).length === 0) return null
  if (!canEdit(order, to)) return { ok: false, reason: 'not-editable' }
  const animal = changes.lines ? await changedSettledAnimal(tx, order.id, lines) : null
  if (!animal) return null
  return invalid({ products: [t(animal.isRemoved ? 'admin-orders.settled-animal' : 'admin-orders.settled-price', { tag: animal.tag })] })
}

/**
 * An animal that the edit takes off, or whose price it changes, although its settlement, at the rate of the old price, is in the ledger and would stay
 * there; null for none.
 */
async function changedSettledAnimal(
  tx: Db,
  orderId: number,
  lines: readonly AdminLine[],
): Promise<{ tag: string; isRemoved: boolean } | null> {
  const edited = JSON.stringify(lines.map(({ productId, price }) => ({ product_id: productId, price })))
  const { rows } = await sql<{ tag: string; is_removed: boolean }>`select l.tag_number as tag, n.product_id is null as is_removed
    from order_lines l left join jsonb_to_recordset(${edited}::jsonb) as n(product_id bigint, price bigint) using (product_id)
    where l.order_id = ${orderId} and l.price_poisha is distinct from n.price
      and exists (select 1 from settlements where order_id = l.order_id and product_id = l.product_id)
    order by l.position limit 1`.execute(tx)
  return rows[0] ? toCamel<{ tag: string; isRemoved: boolean }>(rows[0]) : null
}

async function syncStock(tx: Db, orderId: number, status: OrderStatus, before: EditableOrder, lines: readonly AdminLine[]): Promise<void> {
  const ordered = new Set(before.lines.map((line) => line.productId))
  const holds = isLive(status)
  // An ended order holds nothing. Its products are passed with quantity 0, so that they are locked before its lines are written.
  const held = lines.map((line) => ({
    product_id: line.productId,
    quantity_milli: holds ? line.quantityMilli : 0,
    is_new: holds && !ordered.has(line.productId),
  }))
  const missing = await syncOrderStock(tx, orderId, held)
  if (missing) throw new StockUnavailableError(missing)
}

async function writeEdit(
  tx: Db,
  orderId: number,
  after: EditableOrder,
  { isNewPhone, now }: { isNewPhone: boolean; now: Date },
): Promise<void> {
  const { name, phone, address, landmark, note, remarks, areaId, isCollection, listOn, sums } = after
  await tx
    .updateTable('orders')
    .set({
      name,
      phone,
      address,
      landmark,
      note,
      remarks,
      area_id: areaId,
      is_collection: isCollection,
      list_on: listOn,
      is_free_order: sums.total === 0,
      updated_at: now,
    })
    // The earlier number, a wrong one perhaps, was sent links, and its holder may have verified it.
    .set(isNewPhone ? { view_key: newViewKey(), phone_verified: false } : {})
    // Nothing is left to wait for: the order must not expire.
    .set(sums.total === 0 ? { expires_at: null } : {})
    .set({ subtotal_poisha: sums.subtotal, shipping_poisha: sums.shipping, discount_poisha: sums.discount, total_poisha: sums.total })
    .set(({ eb, fn, val }) => ({
      payable_poisha: fn<Poisha>('least', ['payable_poisha', val(sums.total)]),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', orderId)
    .execute()
}

/**
 * An order that is collected, or pays for one delivery, has one date, also when later products are added, unless the first of two deliveries may have
 * been made. To be called before the edit is written: the dates of now decide.
 */
async function joinDeliveries(tx: Db, orderId: number, now: Date): Promise<void> {
  const isPartlyDelivered = mayBePartlyDelivered(sql`${dhakaDate(now)}`)
  await sql`update orders o set deliveries = 1 where o.id = ${orderId} and o.deliveries = 2 and not ${isPartlyDelivered}`.execute(tx)
}

/** The fields of an order for the timeline and the audit log, in taka and units. */
function audited({
  sums,
  orderDiscount,
  maxShipping: _max,
  isSplit: _isSplit,
  hasTwoDeliveries: _hasTwo,
  couponUse: _use,
  lines,
  ...contact
}: EditableOrder): Record<string, unknown> {
  return {
    ...contact,
    shipping: poishaToTaka(sums.shipping),
    discount: poishaToTaka(orderDiscount),
    total: poishaToTaka(sums.total),
    lines: lines.map((line) => `${line.productId}: ${line.quantityMilli / 1000} × ${poishaToTaka(line.price)}`).sort(),
  }
}

/** The changed fields of an edit with the old and the new value. */
export function changesBetween(before: EditableOrder, after: EditableOrder): Record<string, { from: unknown; to: unknown }> {
  const [oldFields, newFields] = [audited(before), audited(after)]
  return Object.fromEntries(
    Object.keys(newFields)
      .filter((key) => JSON.stringify(oldFields[key]) !== JSON.stringify(newFields[key]))
      .map((key) => [key, { from: oldFields[key], to: newFields[key] }]),
  )
}
