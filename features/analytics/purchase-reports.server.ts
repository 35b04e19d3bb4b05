import { sql } from 'kysely'
import type { Settings } from '#features/settings/settings.ts'
import { retryWaitSeconds } from '#lib/async/retry-wait.ts'
import type { Db } from '#lib/db/db.server.ts'
import { deleteInBatches } from '#lib/db/delete-in-batches.server.ts'
import type { ConversionGateway, ReportOutcome } from './meta-gateway.server.ts'
import { purchaseEvent, type PurchasedOrder } from './purchase-event.server.ts'

export interface ReportDeps {
  db: Db
  /** Null when the Conversions API is not configured. */
  conversions: ConversionGateway | null
  env: { publicUrl: string }
  shopCache: { settings(): Promise<Settings> }
  log: { warn(detail: object, message: string): void }
}

/** What a browser says of itself with the report of its purchase. */
export interface Browser {
  browser_id: string | null
  click_id: string | null
  ip: string
  user_agent: string | null
}

/** Meta takes events of the last seven days. */
const MAX_AGE_DAYS = 7
/** A purchase is reported by the page that follows it. An older order is one that is looked at again. */
const MAX_REPORT_AGE_HOURS = 24
/** A row that is being sent for longer belongs to a process that has ended. Meta counts an id that comes twice once. */
const LEASE_SECONDS = 120
const RETENTION_DAYS = 30
const WITHOUT_BROWSER = sql`browser_id = null, click_id = null, ip = null, user_agent = null`

/** Stores that a browser with consent has bought this order, once per order. Orders of the past are ignored. */
export async function storePurchase(db: Db, orderId: number, { browser_id, click_id, ip, user_agent }: Browser): Promise<void> {
  await sql`insert into conversion_events (order_id, browser_id, click_id, ip, user_agent)
    select id, ${browser_id}, ${click_id}, ${ip}, ${user_agent} from orders
    where id = ${orderId} and placed_at > now() - make_interval(hours => ${MAX_REPORT_AGE_HOURS})
    on conflict (order_id) do nothing`.execute(db)
}

/**
 * Reports due purchases to Meta until none is left. A problem of the connection or the token ends the run with an error, so that the job
 * counts as failed. Several processes may run it at once.
 */
export async function reportPurchases(deps: ReportDeps): Promise<void> {
  // Also while nothing is reported: what browsers said is deleted in time.
  await endOldReports(deps.db)
  const { pixel_id } = (await deps.shopCache.settings()).analytics
  if (deps.conversions === null || pixel_id === '') return
  for (let claimed = await claimReport(deps.db); claimed !== null; claimed = await claimReport(deps.db)) {
    const order = await findPurchasedOrder(deps.db, claimed.order_id)
    const outcome = order
      ? await deps.conversions.report(pixel_id, purchaseEvent(order, deps.env.publicUrl))
      : { state: 'skipped' as const, code: 'cancelled' }
    await recordOutcome(deps.db, claimed, outcome)
    if (outcome.state === 'refused') deps.log.warn({ order: claimed.order_id, code: outcome.code }, 'Meta refused a purchase')
    if (outcome.state === 'later') throw new Error(`purchases could not be reported to Meta: ${outcome.code}`)
  }
}

/** Deletes the rows of reports that ended long ago. */
export async function deleteOldReports(db: Db): Promise<void> {
  await deleteInBatches((limit) =>
    sql`delete from conversion_events where ctid = any(array(select ctid from conversion_events where created_at < now() - make_interval(days => ${RETENTION_DAYS}) limit ${limit}))`.execute(
      db,
    ),
  )
}

interface Claimed {
  order_id: number
  attempts: number
}

async function claimReport(db: Db): Promise<Claimed | null> {
  const { rows } = await sql<Claimed>`
    update conversion_events set state = 'sending', attempts = attempts + 1, updated_at = now()
    where order_id = (select order_id from conversion_events where state = 'queued' and not_before <= now()
      order by not_before for update skip locked limit 1)
    returning order_id, attempts`.execute(db)
  return rows[0] ?? null
}

/** The order of a report; null when it was cancelled. */
async function findPurchasedOrder(db: Db, orderId: number): Promise<PurchasedOrder | null> {
  const { rows } = await sql<PurchasedOrder>`
    select o.id as order_id, o.customer_id, o.placed_at, o.total_poisha, o.phone, o.email, o.name, e.browser_id, e.click_id, e.ip, e.user_agent,
      coalesce((select json_agg(json_build_object('product_id', l.product_id, 'quantity_milli', l.quantity_milli, 'total_poisha', l.line_total_poisha)
        order by l.product_id) from order_lines l where l.order_id = o.id), '[]') as lines
    from conversion_events e join orders o on o.id = e.order_id
    where e.order_id = ${orderId} and o.status <> 'cancelled'`.execute(db)
  return rows[0] ?? null
}

/** Records the end of an attempt. A row that was claimed again in the meantime stays as it is. */
async function recordOutcome(
  db: Db,
  { order_id, attempts }: Claimed,
  outcome: ReportOutcome | { state: 'skipped'; code: string },
): Promise<void> {
  const isMine = sql`order_id = ${order_id} and state = 'sending' and attempts = ${attempts}`
  if (outcome.state === 'later') {
    await sql`update conversion_events set state = 'queued', failure = ${outcome.code}, updated_at = now(),
      not_before = now() + make_interval(secs => ${retryWaitSeconds(attempts)}) where ${isMine}`.execute(db)
    return
  }
  const state = outcome.state === 'refused' ? 'failed' : outcome.state
  const failure = outcome.state === 'sent' ? null : outcome.code
  await sql`update conversion_events set state = ${state}, failure = ${failure}, updated_at = now(), ${WITHOUT_BROWSER} where ${isMine}`.execute(
    db,
  )
}

/** Fails reports that Meta no longer takes, and returns those of ended processes to the queue. */
async function endOldReports(db: Db): Promise<void> {
  await sql`update conversion_events set state = 'queued', not_before = now(), updated_at = now()
    where state = 'sending' and updated_at < now() - make_interval(secs => ${LEASE_SECONDS})`.execute(db)
  await sql`update conversion_events set state = 'failed', failure = coalesce(failure, 'expired'), updated_at = now(), ${WITHOUT_BROWSER}
    where state = 'queued' and created_at < now() - make_interval(days => ${MAX_AGE_DAYS - 1})`.execute(db)
}
