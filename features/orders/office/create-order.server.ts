import { sql } from 'kysely'
import { audit } from '#features/audit/audit.server.ts'
import type { Settings } from '#features/catalog/settings.ts'
import type { AreaFacts } from '#features/catalog/shop-facts.server.ts'
import { orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { sellAnimals } from '#features/payments/commands/sell-animals.server.ts'
import { productFacts } from '#features/pricing/product-facts.server.ts'
import { deliveryCharge } from '#features/pricing/rules.ts'
import { inTransaction, type Db } from '#lib/db.server.ts'
import { translate } from '#lib/i18n.ts'
import { randomToken } from '#lib/ids.server.ts'
import type { Lang } from '#lib/lang.ts'
import { poishaToTaka, ZERO } from '#lib/money.ts'
import type { Poisha } from '#lib/money.ts'
import { noteOrder, settleStock } from '../order-writes.server.ts'
import { areaCharges, hashOfRequest } from '../place-order.server.ts'
import { goesOut, isLive, listDate, needsReason } from '../rules.ts'
import type { StoreOrder } from './forms.ts'
import { type FieldErrors, missingErrors, type OfficeGoods, priceLines, readGoods, type Text } from './office-goods.server.ts'
import { type OfficeDeps, type OrderClerk, Refused } from './office-deps.ts'
import { type OfficeLine, type OfficeSums, officeSums } from './pricing-rules.ts'

export type CreateResult =
  | { ok: true; orderId: number; replayed: boolean }
  | { ok: false; reason: 'invalid'; errors: FieldErrors }
  | { ok: false; reason: 'key-reused' }

/**
 * Takes an order that somebody of the staff writes down, as a phone order: customer, goods, stock, history and message in one
 * transaction. The shop adds it up. The same key again answers the first order.
 */
export async function createOrderByStaff(
  deps: OfficeDeps,
  form: StoreOrder,
  clerk: OrderClerk,
  { lang, idempotencyKey }: { lang: Lang; idempotencyKey: string },
): Promise<CreateResult> {
  const t = translate(lang) as Text
  const wanted = form.products.map((line) => ({ productId: line.product_id, quantityMilli: line.quantity, price: line.price_on_order }))
  const area = (await deps.facts.areas()).get(form.area_id)
  const settings = await deps.facts.settings()
  const key = { key: `staff-${clerk.id}:${idempotencyKey}`, hash: hashOfRequest(form) }
  try {
    const result = await inTransaction(deps.db, async (tx): Promise<CreateResult> => {
      const earlier = await earlierOrder(tx, key)
      if (earlier) return earlier
      const goods = await readGoods(tx, wanted)
      const { lines, errors } = priceLines(wanted, goods, clerk.can('orders.price'), t, lang)
      const sums = sumsOf(form, lines, goods, area, clerk, errors, t)
      if (!sums || Object.keys(errors).length > 0) return { ok: false, reason: 'invalid', errors }
      const orderId = await write(tx, { form, key, lines, sums, goods, clerk, settings, now: deps.now(), publicUrl: deps.env.publicUrl })
      return { ok: true, orderId, replayed: false }
    })
    if (result.ok) deps.catalogueChanged()
    return result
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { ok: false, reason: 'invalid', errors: await missingErrors(deps.db, error.missing, wanted, t, lang) }
  }
}

/** What this key has made already; a second request at the same moment waits here for the first one's end. */
async function earlierOrder(tx: Db, { key, hash }: RequestKey): Promise<CreateResult | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
  const { rows } = await sql<{ id: number; same: boolean }>`
    select id, request_hash = decode(${hash}, 'hex') as same from orders where idempotency_key = ${key}`.execute(tx)
  const earlier = rows[0]
  if (!earlier) return null
  return earlier.same ? { ok: true, orderId: earlier.id, replayed: true } : { ok: false, reason: 'key-reused' }
}

function sumsOf(
  form: StoreOrder,
  lines: readonly OfficeLine[],
  goods: OfficeGoods,
  area: AreaFacts | undefined,
  clerk: OrderClerk,
  errors: FieldErrors,
  t: Text,
): OfficeSums | null {
  if (needsReason(form.status) && form.reason === '') errors.reason = [t('office-orders.reason-required')]
  if (!area) errors.area_id = [t('details.area-unknown')]
  const charge = deliveryCharge(
    [...goods.rows.values()].map((row) => productFacts(row, 'en')),
    area ? areaCharges(area) : null,
  )
  if (!charge.ok) errors.area_id = [t(`refusal.${charge.reason}`)]
  const discount = form.discount ?? ZERO
  if (discount > 0 && !clerk.can('orders.price')) errors.discount = [t('office-orders.discount-not-yours')]
  const sums = officeSums(lines, form.shipping_cost ?? (charge.ok ? charge.value : ZERO), discount)
  if (!sums && !errors.discount) errors.discount = [t('office-orders.discount-too-high')]
  return sums
}

interface RequestKey {
  key: string
  hash: string
}

interface ToWrite {
  form: StoreOrder
  key: RequestKey
  lines: readonly OfficeLine[]
  sums: OfficeSums
  goods: OfficeGoods
  clerk: OrderClerk
  settings: Settings
  now: Date
  publicUrl: string
}

async function write(tx: Db, wanted: ToWrite): Promise<number> {
  const { form, lines, goods, clerk, now } = wanted
  // Goods before people before orders, as every order does it, so that nobody waits in a ring.
  await sql`select 1 from products where id = any(${lines.map((line) => line.productId)}::bigint[]) order by id for update`.execute(tx)
  const id = await writeOrder(tx, wanted)
  const held = lines.map((line) => ({ product_id: line.productId, quantity_milli: line.quantityMilli, is_new: true }))
  const missing = isLive(form.status) ? await settleStock(tx, id, held) : null
  if (missing) throw new Refused(missing)
  // After the goods: a line's reference locks its product, and two who hold that lock would wait for each other.
  await writeLines(tx, id, lines, goods, 1)
  if (goesOut(form.status)) await sellAnimals(tx, id)
  const reason = needsReason(form.status) ? { reason: form.reason } : {}
  await noteOrder(tx, id, { kind: 'staff', id: clerk.id }, now, { kind: 'placed', to: form.status, detail: reason })
  const shop = orderSmsShop(wanted.publicUrl, wanted.settings)
  if (isLive(form.status)) await queueOrderSms(tx, shop, { orderId: id, event: 'order-placed', text: wanted.settings.messages.orderPlaced })
  await audit(tx, clerk, { action: 'created', subject: 'order', id, after: auditedOrder(wanted) })
  return id
}

function auditedOrder({ form, lines, sums }: ToWrite): object {
  return {
    name: form.name,
    phone: form.phone,
    status: form.status,
    total: poishaToTaka(sums.total),
    discount: poishaToTaka(form.discount ?? ZERO),
    lines: lines.map((line) => ({
      product_id: line.productId,
      quantity: line.quantityMilli / 1000,
      price: poishaToTaka(line.price),
      ...(line.priceIsSet ? { instead_of: poishaToTaka(line.basePrice) } : {}),
    })),
  }
}

/** One customer a phone: what an existing one wrote about himself stays as it is. */
async function writeOrder(tx: Db, { form, key, sums, settings, now }: ToWrite): Promise<number> {
  const listOn = listDate(now, settings.cutoff_hour)
  const { rows } = await sql<{ id: number }>`
    with customer as (
      insert into users (name, phone, email) values (${form.name}, ${form.phone}, ${form.email || null})
      on conflict (phone) do update set phone = excluded.phone returning id)
    insert into orders (source, status, reason, customer_id, name, phone, email, address, landmark, note, remarks, area_id, lang,
      subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway, payable_poisha, is_free_order,
      list_on, placed_at, view_key, tracking_code, updated_at, idempotency_key, request_hash)
    select 'admin', ${form.status}, ${needsReason(form.status) ? form.reason : null}, customer.id, ${form.name}, ${form.phone}, ${form.email},
      ${form.address}, ${form.landmark}, ${form.note}, ${form.remarks}, ${form.area_id}, 'bn',
      ${sums.subtotal}, ${sums.shipping}, ${sums.discount}, ${sums.total}, 'cash_on_delivery', 'NONE', 0, ${sums.total === 0},
      ${listOn}, ${now}, ${randomToken(12)}, ${randomToken(16)}, ${now}, ${key.key}, decode(${key.hash}, 'hex')
    from customer returning id`.execute(tx)
  return rows[0]!.id
}

/** Writes lines under consecutive numbers, with names, tag and weight as they are now. */
export async function writeLines(tx: Db, orderId: number, lines: readonly OfficeLine[], goods: OfficeGoods, from: number): Promise<void> {
  const rows = lines.map((line, at) => {
    const row = goods.rows.get(line.productId)
    const grams = row?.sold_by_live_weight ? row.weight_grams : null
    return {
      position: from + at,
      product_id: line.productId,
      name_en: row?.name_en,
      name_bn: row?.name_bn,
      unit: row?.unit,
      quantity_milli: line.quantityMilli,
      base_price_poisha: line.basePrice,
      price_poisha: line.price,
      line_total_poisha: line.total,
      advance_poisha: line.advance,
      tag_number: row?.tag_number ?? null,
      booked_grams: grams,
      booked_rate_poisha: grams ? ratePerKg(line.price, grams) : null,
    }
  })
  await sql`insert into order_lines (order_id, position, product_id, name_en, name_bn, unit, quantity_milli, base_price_poisha, price_poisha,
      line_total_poisha, advance_poisha, tag_number, booked_grams, booked_rate_poisha)
    select ${orderId}, l.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as l(position smallint, product_id bigint, name_en text, name_bn text,
      unit text, quantity_milli bigint, base_price_poisha bigint, price_poisha bigint, line_total_poisha bigint, advance_poisha bigint,
      tag_number text, booked_grams int, booked_rate_poisha bigint)`.execute(tx)
}

export function ratePerKg(price: Poisha, grams: number): number {
  return Math.round((price * 1000) / grams)
}
