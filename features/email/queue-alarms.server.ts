import { sql } from 'kysely'
import { lastBackup } from '#features/backup/queries.server.ts'
import { isBackupLate } from '#features/backup/schedule-rules.ts'
import { listJobs } from '#features/jobs/job-state.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { alarmAddresses } from '#features/settings/alarm-addresses.ts'
import type { Db } from '#lib/db/db.server.ts'
import { DHAKA_TODAY } from '#lib/db/dhaka-day.server.ts'
import type { Alarm } from './alarm-email.server.ts'

/** A problem of the SMS provider that is shorter ends by itself. */
const SMS_PROBLEM_MINUTES = 15

/**
 * Queues the alarms that hold now, each at most once a day (in Dhaka) for an address. Addresses are those of the settings, or those of the
 * owners. Does nothing while email is not configured.
 */
export async function queueAlarms({ db, shopCache }: { db: Db; shopCache: { settings(): Promise<Settings> } }): Promise<void> {
  const state = await db.selectFrom('email_state').select('enabled_at').executeTakeFirstOrThrow()
  if (state.enabled_at === null) return
  const recipients = await listRecipients(db, await shopCache.settings())
  if (recipients.length === 0) return
  for (const { alarm, count } of await listAlarms(db, state.enabled_at)) await queueAlarm(db, alarm, count, recipients)
}

async function queueAlarm(db: Db, alarm: Alarm, count: number, recipients: string[]): Promise<void> {
  await sql`insert into email_outbox (event_key, kind, recipient, detail)
    select 'alarm-' || ${alarm} || '-' || ${DHAKA_TODAY} || '-' || lower(r.address), 'alarm', r.address,
      ${JSON.stringify({ alarm, count })}::jsonb
    from unnest(${recipients}::text[]) as r(address) on conflict (event_key) do nothing`.execute(db)
}

async function listAlarms(db: Db, enabledAt: Date): Promise<{ alarm: Alarm; count: number }[]> {
  const { rows } = await sql<{ advances: number; areas: number; sms: boolean; now: Date }>`select now(),
    (select count(*)::int from advance_reports where state = 'waiting') as advances,
    (select count(*)::int from area_requests where state = 'new') as areas,
    exists (select 1 from sms_provider where problem in ('balance', 'account', 'unreachable')
      and problem_since < now() - make_interval(mins => ${SMS_PROBLEM_MINUTES})) as sms`.execute(db)
  const { advances, areas, sms, now } = rows[0]!
  const jobs = (await listJobs(db)).filter(({ problem }) => problem !== null).length
  const backup = await lastBackup(db, now)
  const isOld = isBackupLate(now, backup?.startedAt ?? enabledAt)
  return [
    ...(advances > 0 ? [{ alarm: 'advances' as const, count: advances }] : []),
    ...(areas > 0 ? [{ alarm: 'areas' as const, count: areas }] : []),
    ...(sms ? [{ alarm: 'sms' as const, count: 1 }] : []),
    ...(jobs > 0 ? [{ alarm: 'jobs' as const, count: jobs }] : []),
    ...(isOld ? [{ alarm: 'backup' as const, count: 1 }] : []),
  ]
}

async function listRecipients(db: Db, settings: Settings): Promise<string[]> {
  const chosen = alarmAddresses(settings.alarm_emails)
  if (chosen.length > 0) return chosen
  const { rows } = await sql<{ email: string }>`select distinct lower(email) as email from users
    where role = 'owner' and disabled_at is null and coalesce(email, '') <> ''`.execute(db)
  return rows.map(({ email }) => email)
}
