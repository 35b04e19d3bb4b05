import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import { ORDER_SOURCES } from '#features/orders/types.ts'
import type { Db } from '#lib/db/db.server.ts'

/** The states of `payment_attempts`. */
const PAYMENT_STATES = ['initiated', 'pending', 'paid', 'failed', 'expired', 'review', 'refused'] as const
/** A scrape starts a new read when the numbers are older. */
const MAX_AGE_MS = 10_000

interface ShopNumbers {
  orders: { source: string; count: number }[]
  payments: { state: string; count: number }[]
  waiting: { open: number; review: number }
  sms: { queued: number; oldest_seconds: number }
}

/**
 * Orders, payments and SMS, the same in every process of the shop. A scrape gets the numbers of the last read and starts a new one in the
 * background, so that it waits for the database only once. While the database is away they are missing.
 */
export function addShopMetrics(registry: Registry, db: Db): { prepare(): Promise<void> } {
  const gauges = createGauges(registry)
  let readAt = -Infinity
  let reading: Promise<void> | null = null
  const read = async (): Promise<void> => {
    const numbers = await readShopNumbers(db).catch(() => null)
    showNumbers(gauges, numbers)
    readAt = performance.now()
    reading = null
  }
  return {
    async prepare() {
      if (performance.now() - readAt > MAX_AGE_MS) reading ??= read()
      if (readAt === -Infinity) await reading
    },
  }
}

function createGauges(registry: Registry) {
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  return {
    up: gauge('khamar_database_up', '1 when the last read of the shop metrics succeeded'),
    orders: gauge('khamar_orders_last_hour', 'Orders placed within the last hour, by channel', 'channel'),
    payments: gauge('khamar_payments_last_hour', 'Online payments begun within the last hour, by state', 'state'),
    open: gauge('khamar_payments_open', 'Online payments without a result'),
    review: gauge('khamar_payments_in_review', 'Online payments that wait for a decision of staff'),
    queued: gauge('khamar_sms_queued', 'SMS that wait in the outbox'),
    oldest: gauge('khamar_sms_oldest_seconds', 'Age of the oldest SMS in the outbox that may be sent'),
  }
}

function showNumbers(gauges: ReturnType<typeof createGauges>, numbers: ShopNumbers | null): void {
  for (const gauge of Object.values(gauges)) gauge.reset()
  gauges.up.set(numbers ? 1 : 0)
  if (!numbers) {
    for (const gauge of [gauges.open, gauges.review, gauges.queued, gauges.oldest]) gauge.remove()
    return
  }
  for (const channel of ORDER_SOURCES) gauges.orders.set({ channel }, 0)
  for (const { source, count } of numbers.orders) gauges.orders.set({ channel: source }, count)
  for (const state of PAYMENT_STATES) gauges.payments.set({ state }, 0)
  for (const { state, count } of numbers.payments) gauges.payments.set({ state }, count)
  gauges.open.set(numbers.waiting.open)
  gauges.review.set(numbers.waiting.review)
  gauges.queued.set(numbers.sms.queued)
  gauges.oldest.set(numbers.sms.oldest_seconds)
}

/** One statement; each part reads the end of an index. */
async function readShopNumbers(db: Db): Promise<ShopNumbers> {
  const { rows } = await sql<ShopNumbers>`
    select
      (select coalesce(json_agg(o), '[]') from (
        select s.source, (select count(*) from orders where orders.source = s.source and placed_at >= now() - interval '1 hour') as count
        from unnest(${sql.val([...ORDER_SOURCES])}::text[]) as s(source)) o) as orders,
      (select coalesce(json_agg(p), '[]') from (
        select state, count(*) as count from payment_attempts where created_at >= now() - interval '1 hour' group by state) p) as payments,
      json_build_object(
        'open', (select count(*) from payment_attempts where state in ('initiated', 'pending')),
        'review', (select count(*) from payment_attempts where state = 'review')) as waiting,
      (select json_build_object(
        'queued', count(*),
        'oldest_seconds', coalesce(extract(epoch from now() - min(greatest(created_at, not_before))), 0))
       from sms_outbox where state = 'queued' and not_before <= now()) as sms`.execute(db)
  return rows[0]!
}
