import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { toCamel } from '#lib/db/rows.ts'

// The link at the end of a campaign's SMS. Its token is random and stands in the row of the person, so it is short: a link in a Bengali SMS
// is charged like the text.

const TOKEN_LENGTH = 8

/** The URL at which a person opts out. */
export function stopLink(publicUrl: string, token: string): string {
  return `${publicUrl}/stop/${token}`
}

/** A link as long as those of all SMS, for counting parts. */
export function sampleStopLink(publicUrl: string): string {
  return stopLink(publicUrl, 'x'.repeat(TOKEN_LENGTH))
}

const isToken = (text: string) => text.length === TOKEN_LENGTH && /^[A-Za-z0-9]+$/.test(text)

/** The phone that a token belongs to, and whether it opted out already; null for an unknown token. */
export async function findStopLink(db: Db, token: string): Promise<{ phone: string; isStopped: boolean } | null> {
  if (!isToken(token)) return null
  const { rows } = await sql<{ phone: string; is_stopped: boolean }>`select p.phone,
      exists (select 1 from sms_opt_outs o where o.phone = p.phone) as is_stopped from campaign_people p where p.stop_token = ${token}`.execute(
    db,
  )
  return rows[0] ? toCamel<{ phone: string; isStopped: boolean }>(rows[0]) : null
}

/**
 * Records that a person wants no campaigns, on the phone of the SMS and on a newer one. The lock makes a concurrent change of the phone come
 * first or carry the opt-out. False for an unknown token.
 */
export async function stopCampaigns(db: Db, token: string): Promise<boolean> {
  if (!isToken(token)) return false
  const { rows } = await sql`
    with person as (select phone, customer_id from campaign_people where stop_token = ${token}),
      newer as (select n.phone from person p join users u on u.id = p.customer_id join users n on n.id = coalesce(u.merged_into, u.id)
        where n.phone like '01%' for key share of n),
      added as (insert into sms_opt_outs (phone, source)
        select phone, 'link' from person union select phone, 'link' from newer
        on conflict (phone) do nothing)
    select 1 from person`.execute(db)
  return rows.length > 0
}
