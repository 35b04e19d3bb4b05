import { sql } from 'kysely'
import { claimSms, recordSmsOutcome } from '#features/messaging/outbox.server.ts'
import type { SmsGateway } from '#features/messaging/gateway.ts'
import { DEFAULT_SETTINGS, type Settings } from '#features/settings/settings.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { TestShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'
import { runCampaigns } from '../run-campaigns.server.ts'
import type { Campaign } from '../types.ts'

// Customers, campaigns, the job and a sender for tests of campaigns.

/** The time of a test shop, when its campaigns start. */
export const NOON = new Date('2026-11-20T06:00:00Z')
export const NIGHT = new Date('2026-11-20T18:00:00Z')
export const QUIET = { from: 22, to: 8 }
export const ONE_PART = 'আম এসেছে'
const FORM = { name: 'Eid', text_bn: ONE_PART, text_en: '', parts_limit: 1000, starts_at: '', query: '' }

export async function clearCampaigns(db: Db): Promise<void> {
  await sql`truncate campaigns, sms_outbox, sms_opt_outs, sms_days, orders cascade`.execute(db)
  await sql`delete from users where role = 'customer'`.execute(db)
}

/** Inserts customers; returns their phones in order. */
export async function customers(db: Db, count: number): Promise<string[]> {
  const { rows } = await sql<{ phone: string }>`insert into users (name, phone)
    select 'Buyer ' || n, '019' || lpad(n::text, 8, '0') from generate_series(1, ${count}) n returning phone`.execute(db)
  return rows.map(({ phone }) => phone)
}

/** Campaigns of a manager, through the routes. */
export function campaignsOf(db: Db, manager: Visitor) {
  async function start(more: object = {}, { as = manager, key = '' } = {}) {
    const { rows } = await sql<{ count: number; up_to: number }>`select (select count(*)::int from users where role = 'customer') as count,
      (select max(id) from users) as up_to`.execute(db)
    return as.post('/admin/sms/campaigns', { ...FORM, ...rows[0], ...more }, key ? { headers: { 'idempotency-key': key } } : {})
  }
  return {
    start,
    async started(more: object = {}): Promise<number> {
      const { status, text } = await start(more)
      if (status !== 200) throw new Error(text)
      return (JSON.parse(text) as { id: number }).id
    },
    control: (id: number, action: string, as = manager) => as.post(`/admin/sms/campaigns/${id}/${action}`, {}),
    campaign: async (id: number) =>
      ((await manager.get(`/api/admin/sms/campaigns/${id}`)).body as unknown as { campaign: Campaign }).campaign,
  }
}

/** Runs the job of a process once. */
export function runJob(process: TestShop, { at = NOON, settings = {} }: { at?: Date; settings?: Partial<Settings> } = {}): Promise<number> {
  return runCampaigns({
    db: process.deps.db,
    env: process.deps.env,
    now: () => at,
    shopCache: { settings: async () => ({ ...DEFAULT_SETTINGS, quiet_hours: QUIET, ...settings }) },
    sms: { gateway: {} as SmsGateway, notify: () => {} },
  })
}

/** A sender that sends what it may; returns the phones. */
export async function sendAll(db: Db): Promise<string[]> {
  const sent: string[] = []
  for (;;) {
    const sms = await claimSms(db, { daily: 100_000, campaign: 100_000 })
    if (!sms) return sent
    if (sms.skipped) continue
    await recordSmsOutcome(db, sms, { state: 'submitted', reference: null }, false)
    sent.push(sms.phone)
  }
}
