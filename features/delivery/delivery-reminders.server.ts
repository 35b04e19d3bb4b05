import { type RawBuilder, sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { orderSmsLang, orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { dhakaHour, isQuiet } from '#features/settings/sms/quiet-rules.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { addDays, dhakaDate } from '#lib/format/time.ts'
import { comesOn, STILL_TO_GO } from '../orders/delivery-dates.server.ts'

export interface DeliveryReminderDeps {
  db: Db
  now: () => Date
  env: { publicUrl: string }
  facts: { settings(): Promise<Settings> }
}

const MAX_CONCURRENT = 50
/** One press tells no more; the rest is there for the next. */
const MAX_A_PRESS = 1000

/** ScanFeedback once for each day that an order was to come: whoever is put off hears of the new day. */
const eventOf = (day: string) => `delivery-${day}`

/** Orders of which something comes on a day and whose customers have not been told. Orders that still wait for their money are none. */
function untold(day: string, ids: readonly number[] | null): RawBuilder<unknown> {
  const only = ids === null ? sql`` : sql`and o.id = any(${ids}::bigint[])`
  return sql`orders o where ${comesOn(day)} and ${STILL_TO_GO} ${only}
      and not exists (select 1 from sms_outbox s where s.order_id = o.id and s.purpose = 'order' and s.template = ${eventOf(day)})`
}

/** How many customers have not been told that their order comes tomorrow, counted up to `most`. */
export async function countNotYetReminded(db: Db, now: Date, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count
    from (select 1 from ${untold(addDays(dhakaDate(now), 1), null)} limit ${most}) found`.execute(db)
  return rows[0]?.count ?? 0
}

/** The sweep: from the hour that the owner has set, unless it is switched off or people sleep. Answers how many were told. */
export async function sendDeliveryReminders(deps: DeliveryReminderDeps): Promise<number> {
  const { delivery_sms, quiet_hours } = await deps.facts.settings()
  const now = deps.now()
  if (!delivery_sms.automatic || dhakaHour(now) < delivery_sms.hour || isQuiet(now, quiet_hours)) return 0
  return tell(deps, null, null)
}

export type DeliveryReminderResult = { ok: true; told: number; already: number } | { ok: false; reason: 'quiet' }

/** A clerk's press, for the orders picked or for all: each customer is told once, however often it is pressed. `already`: of those picked. */
export async function sendDeliveryRemindersByStaff(
  deps: DeliveryReminderDeps,
  who: Actor,
  ids: readonly number[] | null,
): Promise<DeliveryReminderResult> {
  const { quiet_hours } = await deps.facts.settings()
  if (isQuiet(deps.now(), quiet_hours)) return { ok: false, reason: 'quiet' }
  const told = await tell(deps, who, ids)
  const all = ids === null ? told : await countTold(deps.db, deps.now(), ids)
  return { ok: true, told, already: all - told }
}

async function countTold(db: Db, now: Date, ids: readonly number[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(distinct order_id)::int as count from sms_outbox
    where order_id = any(${ids}::bigint[]) and purpose = 'order' and template = ${eventOf(addDays(dhakaDate(now), 1))}`.execute(db)
  return rows[0]?.count ?? 0
}

async function tell(deps: DeliveryReminderDeps, who: Actor | null, ids: readonly number[] | null): Promise<number> {
  let told = 0
  while (told < MAX_A_PRESS) {
    const some = await tellSome(deps, who, ids)
    told += some
    if (some < MAX_CONCURRENT) break
  }
  return told
}

/** An order that comes tomorrow, or the part of it that does. */
interface Coming {
  id: number
  lang: Lang
  delivery: keyof typeof TEXTS
  /** What comes with one of two deliveries, by name. */
  goods: Record<Lang, string> | null
}

const TEXTS = { only: 'deliveryTomorrow', first: 'firstDeliveryTomorrow', last: 'lastDeliveryTomorrow' } as const

const deliveryOn = (day: string) =>
  sql`case when first_delivery_on(o) is null then 'only' when first_delivery_on(o) = ${day}::date then 'first' else 'last' end`

const goodsOn = (day: string) => sql`case when first_delivery_on(o) is not null then (
    select json_build_object('en', string_agg(l.name_en, ', ' order by l.position), 'bn', string_agg(l.name_bn, ', ' order by l.position))
    from order_lines l where l.order_id = o.id and line_delivery_on(o, l.delivery_on) = ${day}::date) end`

/** The orders stay locked until their messages are kept: none is cancelled in between, and two who tell at once share the work. */
async function tellSome(deps: DeliveryReminderDeps, who: Actor | null, ids: readonly number[] | null): Promise<number> {
  const settings = await deps.facts.settings()
  const shop = orderSmsShop(deps.env.publicUrl, settings)
  const day = addDays(dhakaDate(deps.now()), 1)
  return inTransaction(deps.db, async (tx) => {
    const { rows } = await sql<Coming>`select o.id, o.lang, ${deliveryOn(day)} as delivery, ${goodsOn(day)} as goods
      from ${untold(day, ids)} order by o.id limit ${MAX_CONCURRENT} for no key update of o skip locked`.execute(tx)
    const told: number[] = []
    for (const { id, lang, delivery: part, goods } of rows) {
      const more = goods === null ? {} : { more: { goods: goods[orderSmsLang(lang, settings)] } }
      const sms = { orderId: id, event: eventOf(day), text: settings.messages[TEXTS[part]], sentBy: who?.id ?? null, ...more }
      if ((await queueOrderSms(tx, shop, sms)) !== null) told.push(id)
    }
    if (who && told.length > 0) await audit(tx, who, { action: 'sent', subject: 'sms', id: eventOf(day), after: { orders: told } })
    return told.length
  })
}
