import { type Insertable, sql } from 'kysely'
import type { Database } from '#db/types.ts'
import type { Db } from '#lib/db/db.server.ts'
import { randomToken } from '#lib/ids/ids.server.ts'
import { poisha, sum } from '#lib/format/money.ts'
import { HOUR_MS, addDays, dhakaDate, dhakaInstant } from '#lib/format/time.ts'
import type { DiscountType } from '#features/catalog/types.ts'
import { bookedRatePerKg } from '#features/cattle/rules.ts'
import { listDate } from '#features/orders/list-date.ts'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { unitPriceAfterDiscount } from '#features/catalog/shown-price-rules.ts'
import { addTraces } from './add-traces.ts'
import { ORDERS, type DemoOrder } from './orders.ts'
import { AREAS } from './places.ts'

interface Sold {
  id: number
  name_en: string
  name_bn: string
  unit: string
  price_poisha: number
  discount_kind: DiscountType | null
  discount_value: number | null
  is_unique: boolean
  tag_number: string | null
  weight_grams: number | null
  delivery_on: string | null
}

const ADVANCE = 10_000_00
/** The member of staff who changed the status of the orders. */
const MANAGER = sql<number>`(select id from users where role = 'manager' limit 1)`

/** Inserts the past orders with their lines, events, payments, stock movements, SMS and audit entries. */
export async function addOrders(
  tx: Db,
  productIds: Map<string, number>,
  { now, publicUrl }: { now: Date; publicUrl: string },
): Promise<void> {
  const columns = ['id', 'name_en', 'name_bn', 'unit', 'price_poisha', 'discount_kind', 'discount_value'] as const
  const animalColumns = ['is_unique', 'tag_number', 'weight_grams', 'delivery_on'] as const
  const rows: Sold[] = await tx.selectFrom('products').select(columns).select(animalColumns).execute()
  const soldById = new Map(rows.map((row) => [row.id, row]))
  for (const [i, order] of ORDERS.entries()) {
    const lines = order.lines.map(([key, quantity], position) => lineOf(soldById.get(productIds.get(key)!)!, quantity, position + 1))
    await addOrder(tx, order, lines, clockOf(order, momentOf(order, i, now), now))
  }
  await addTraces(tx, { orders: sql`true`, today: dhakaDate(now), publicUrl })
}

/** An afternoon hour of its day; for today, some minutes ago, the last order latest. */
function momentOf({ daysAgo }: DemoOrder, i: number, now: Date): Date {
  if (daysAgo === 0) return new Date(now.getTime() - (20 + ORDERS.length - i) * 60_000)
  return dhakaInstant(addDays(dhakaDate(now), -daysAgo), `1${4 + (i % 4)}:2${i % 10}`)
}

/** The times of an order: `after(n)` is n steps after it was placed. */
interface Clock {
  placedAt: Date
  after(steps: number): Date
}

const STEP_HOURS = 20
/** When staff work: from 9 am, for ten hours. */
const [OPENS_MS, OPEN_MS] = [9 * HOUR_MS, 10 * HOUR_MS]
/** Steps until the last event of an order: the refund. */
const MAX_STEPS = 4.5

/** Spreads the steps evenly over the hours in which staff work; recent orders have shorter steps, so that no event is in the future. */
function clockOf({ status }: DemoOrder, placedAt: Date, now: Date): Clock {
  const steps = status === 'completed' || status === 'returned' ? MAX_STEPS : Math.max(1, stepsOf(status).length)
  const stepMs = Math.min(STEP_HOURS * HOUR_MS, (lastOpenMoment(placedAt, now).getTime() - placedAt.getTime()) / steps)
  const after = (count: number) => new Date(placedAt.getTime() + Math.round(count * stepMs))
  return { placedAt, after: (count) => inOpenHours(after(count), placedAt, now) }
}

const midnightOf = (moment: Date) => dhakaInstant(dhakaDate(moment), '00:00').getTime()

/** Now, or in the night the end of the evening before; an order of today has the night, too. */
function lastOpenMoment(placedAt: Date, now: Date): Date {
  const midnight = midnightOf(now)
  return placedAt.getTime() >= midnight || now.getTime() >= midnight + OPENS_MS ? now : new Date(midnight - 1)
}

/** Moves the whole of a later day into the hours in which staff work, in the same order. */
function inOpenHours(moment: Date, placedAt: Date, now: Date): Date {
  const midnight = midnightOf(moment)
  if (midnight === midnightOf(placedAt)) return moment
  const moved = midnight + OPENS_MS + ((moment.getTime() - midnight) * OPEN_MS) / (24 * HOUR_MS)
  return new Date(Math.min(Math.round(moved), now.getTime()))
}

function lineOf(sold: Sold, quantity: number, position: number) {
  const base = poisha(sold.price_poisha)
  const price = unitPriceAfterDiscount(base, sold.discount_kind ? { kind: sold.discount_kind, value: sold.discount_value! } : null)
  return {
    sold,
    base: base * quantity,
    row: {
      position,
      product_id: sold.id,
      name_en: sold.name_en,
      name_bn: sold.name_bn,
      unit: sold.unit,
      quantity_milli: quantity * 1000,
      base_price_poisha: base,
      price_poisha: price,
      line_total_poisha: price * quantity,
      advance_poisha: sold.is_unique ? ADVANCE : 0,
      tag_number: sold.tag_number,
      booked_grams: sold.weight_grams,
      booked_rate_poisha: bookedRatePerKg(price, sold.weight_grams),
    },
  }
}

type Line = ReturnType<typeof lineOf>

async function addOrder(tx: Db, order: DemoOrder, lines: Line[], clock: Clock): Promise<void> {
  const { placedAt } = clock
  const subtotal = sum(lines.map((line) => poisha(line.base)))
  const discount = subtotal - sum(lines.map((line) => poisha(line.row.line_total_poisha)))
  const area = AREAS.find(({ name }) => name.en === order.area)!
  const charge = lines.some(({ sold }) => sold.is_unique) ? area.cattle : area.produce
  const shipping = Number(charge) * 100
  const total = subtotal + shipping - discount
  const byHand = order.pays === 'advance' || order.pays === 'waiting'
  const isUnsent = order.status === 'placed' || order.status === 'processing'
  const { id } = await tx
    .insertInto('orders')
    .values({
      status: order.status,
      reason: order.reason ?? null,
      customer_id: await customerOf(tx, order),
      name: order.name,
      phone: order.phone,
      address: order.address,
      area_id: sql`(select id from areas where name_en = ${order.area})`,
      lang: order.lang,
      subtotal_poisha: subtotal,
      shipping_poisha: shipping,
      discount_poisha: discount,
      total_poisha: total,
      payment_type: order.pays === 'online' ? 'full' : byHand ? 'partial' : 'cash_on_delivery',
      payment_gateway: order.pays === 'online' ? 'sslcommerz' : 'NONE',
      payable_poisha: order.pays === 'online' ? total : byHand ? ADVANCE : 0,
      list_on: listDate(placedAt, DEFAULT_SETTINGS.cutoff_hour),
      placed_at: placedAt,
      expires_at: order.pays === 'waiting' ? hoursAfter(placedAt, 24) : null,
      view_key: randomToken(12),
      tracking_code: randomToken(16),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('order_lines')
    .values(lines.map(({ row, sold }) => ({ order_id: id, ...row, delivery_on: isUnsent ? sold.delivery_on : null })))
    .execute()
  await addHistory(tx, id, order, clock)
  await addPayments(tx, id, order, total, clock)
  for (const { sold } of lines.filter((line) => line.sold.is_unique)) await claimAnimal(tx, id, sold.id, order)
}

async function customerOf(tx: Db, { phone, name }: DemoOrder): Promise<number> {
  const { id } = await tx
    .insertInto('users')
    .values({ phone, name })
    .onConflict((conflict) => conflict.column('phone').doUpdateSet({ phone }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id as number
}

const STATUS_PATH: DemoOrder['status'][] = ['placed', 'processing', 'on_delivery', 'delivered', 'completed']

function stepsOf(status: DemoOrder['status']): DemoOrder['status'][] {
  if (status === 'cancelled') return ['placed', status]
  return status === 'returned' ? [...STATUS_PATH.slice(0, 4), status] : STATUS_PATH.slice(0, STATUS_PATH.indexOf(status) + 1)
}

async function addHistory(tx: Db, orderId: number, { status, reason }: DemoOrder, clock: Clock): Promise<void> {
  const steps = stepsOf(status)
  await tx
    .insertInto('order_events')
    .values(
      steps.map((step, i) => ({
        order_id: orderId,
        at: clock.after(i),
        actor: i === 0 ? 'customer' : 'staff',
        actor_id: i === 0 ? null : MANAGER,
        kind: i === 0 ? 'placed' : 'status',
        from_status: steps[i - 1] ?? null,
        to_status: step,
        detail: JSON.stringify(i > 0 && i === steps.length - 1 && reason ? { reason } : {}),
      })),
    )
    .execute()
}

/** Payments so far: the advance or the total online, the rest on delivery, the refund of a returned order. */
async function addPayments(tx: Db, orderId: number, { pays, status }: DemoOrder, total: number, clock: Clock): Promise<void> {
  if (pays === 'advance' || pays === 'waiting') {
    const isDecided = pays === 'advance'
    await tx
      .insertInto('advance_reports')
      .values({
        order_id: orderId,
        method: 'bkash',
        transaction_id: `DEMO${orderId}AB`,
        sender: 'demo',
        amount_poisha: ADVANCE,
        created_at: clock.placedAt,
        state: isDecided ? 'verified' : 'waiting',
        decided_at: isDecided ? clock.after(0.1) : null,
      })
      .execute()
  }
  const before = pays === 'online' ? total : pays === 'advance' ? ADVANCE : 0
  const isDelivered = status === 'delivered' || status === 'completed'
  const possible = [
    {
      kind: pays === 'online' ? 'gateway' : 'advance',
      method: pays === 'online' ? 'sslcommerz' : 'bkash',
      amount_poisha: before,
      reference: `DEMO${orderId}AB`,
      at: clock.after(0.1),
    },
    {
      kind: 'cash_on_delivery',
      method: 'cash',
      amount_poisha: isDelivered ? total - before : 0,
      reference: null,
      at: clock.after(3),
    },
    {
      kind: 'refund',
      method: 'sslcommerz',
      amount_poisha: status === 'returned' ? -before : 0,
      reference: `DEMO${orderId}AB-R`,
      at: clock.after(MAX_STEPS),
    },
  ] satisfies Omit<Insertable<Database['ledger_entries']>, 'order_id'>[]
  const entries = possible.filter((entry) => entry.amount_poisha !== 0)
  if (entries.length > 0)
    await tx
      .insertInto('ledger_entries')
      .values(entries.map((entry) => ({ order_id: orderId, ...entry })))
      .execute()
}

/** Claims the animal for the order. It is on hold until the advance is verified. */
async function claimAnimal(tx: Db, orderId: number, productId: number, { pays }: DemoOrder): Promise<void> {
  await tx.insertInto('animal_holds').values({ product_id: productId, order_id: orderId }).execute()
  if (pays === 'waiting')
    await tx.updateTable('products').set({ status: 'hold', hold_reason: 'booked', stock_milli: 0 }).where('id', '=', productId).execute()
}

const hoursAfter = (moment: Date, hours: number) => new Date(moment.getTime() + hours * HOUR_MS)
