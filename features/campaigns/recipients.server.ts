import { type RawBuilder, sql } from 'kysely'
import { customerCondition } from '#features/customers/customer-conditions.server.ts'
import { readCustomerFilter } from '#features/customers/list-query-rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Recipients } from './types.ts'

// The people of a campaign: the customers of a list, each with the own phone.

/** An open account with a mobile phone. An erased customer has a number that begins with 00. */
const IS_OPEN = sql`u.disabled_at is null and u.phone like '01%'`
const HAS_OPTED_OUT = sql`exists (select 1 from sms_opt_outs x where x.phone = u.phone)`

/** The language of a customer's SMS, as `orderSmsLang` chooses it for the latest order. */
const langOf = (sendsEnglish: boolean) =>
  sendsEnglish
    ? sql`coalesce((select o.lang::text from orders o where o.customer_id = u.id order by o.placed_at desc, o.id desc limit 1), 'bn')`
    : sql`'bn'::text`

/** The filter of a query, with the first value of each parameter, as a condition on `u`; null when no customer can match. */
export function peopleCondition(db: Db, query: string) {
  return customerCondition(db, readCustomerFilter(Object.fromEntries([...new URLSearchParams(query)].toReversed())))
}

/** Counts the customers that a query finds, by language, and those that get nothing. */
export async function countRecipients(db: Db, query: string, sendsEnglish: boolean): Promise<Recipients> {
  const condition = await peopleCondition(db, query)
  if (!condition) return { found: 0, en: 0, bn: 0, opted_out: 0, closed: 0, up_to: 0 }
  const { rows } = await sql<Recipients>`
    select count(*)::int as found, count(*) filter (where not r.is_open)::int as closed,
      count(*) filter (where r.is_open and r.has_opted_out)::int as opted_out,
      count(*) filter (where r.is_open and not r.has_opted_out and r.lang = 'en')::int as en,
      count(*) filter (where r.is_open and not r.has_opted_out and r.lang = 'bn')::int as bn,
      coalesce((select max(id) from users), 0) as up_to
    from (select ${IS_OPEN} as is_open, ${HAS_OPTED_OUT} as has_opted_out, ${langOf(sendsEnglish)} as lang from users u where ${condition}) r`.execute(
    db,
  )
  return rows[0]!
}

/** Adds the people to a campaign, at most `max`; returns how many have each language. */
export async function insertPeople(
  tx: Db,
  campaignId: number,
  { condition, upTo, max, sendsEnglish }: { condition: RawBuilder<unknown>; upTo: number; max: number; sendsEnglish: boolean },
): Promise<Record<Lang, number>> {
  const { rows } = await sql<Record<Lang, number>>`with added as (insert into campaign_people (campaign_id, phone, customer_id, lang)
    select ${campaignId}, u.phone, u.id, ${langOf(sendsEnglish)} from users u
    where ${condition} and u.id <= ${upTo} and ${IS_OPEN} and not ${HAS_OPTED_OUT} limit ${max} returning lang)
    select count(*) filter (where lang = 'en')::int as en, count(*) filter (where lang = 'bn')::int as bn from added`.execute(tx)
  return rows[0]!
}
