import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import '#messages/bn.ts'
import '#messages/en.ts'
import { queueAlarms } from './queue-alarms.server.ts'
import { type EmailDeps, sendEmails } from './send-emails.server.ts'
import { smtpGateway } from './smtp.server.ts'
import { placeOrder } from './testing/place-order.ts'
import { startSmtp } from './testing/start-smtp.ts'

const { db } = await testDb()
const smtp = await startSmtp()
const settings = structuredClone(DEFAULT_SETTINGS)
const sender = { name: null, address: 'orders@farm.example' }
const deps: EmailDeps = {
  db,
  email: smtpGateway({ host: '127.0.0.1', port: smtp.port, isSecure: false, account: null, sender }),
  env: { publicUrl: 'https://shop.example' },
  shopCache: { settings: () => Promise.resolve(settings) },
  log: { warn() {}, error() {} },
}
afterAll(() => smtp.close())
beforeEach(async () => {
  await sql`truncate email_outbox, scheduled_jobs`.execute(db)
  smtp.received.length = 0
})

describe('alarms', () => {
  it('mails each kind once a day to the owners, without names or secrets', async () => {
    await buildUser(db, { role: 'owner', email: 'owner@farm.example' })
    await buildUser(db, { role: 'manager', email: 'manager@farm.example' })
    const order = await placeOrder(db, { email: '' })
    await sql`insert into advance_reports (order_id, method, transaction_id, sender, amount_poisha)
      values (${order.id}, 'bkash', 'SECRET123', '01712345678', 100000)`.execute(db)
    await sql`update email_state set enabled_at = now() - interval '27 hours'`.execute(db)
    await sql`update sms_provider set problem = 'account', problem_since = now() - interval '1 hour'`.execute(db)
    await sql`insert into scheduled_jobs (name, failures, failing_since) values ('expire-orders', 3, now())`.execute(db)
    for (let run = 0; run < 3; run += 1) await queueAlarms(deps)
    await sendEmails(deps)
    expect(smtp.received).toHaveLength(4)
    expect(smtp.received.filter(({ text }) => text?.includes('Scheduled jobs that fail or do not run: 1.'))).toHaveLength(1)
    for (const mail of smtp.received) {
      expect([mail.to].flat()[0]!.text).toBe('owner@farm.example')
      expect(`${mail.text} ${String(mail.html)}`).not.toMatch(/SECRET123|01712345678|Rahima|key=/)
    }
  })

  it('mails the addresses of the settings instead, and none without email', async () => {
    settings.alarm_emails = 'one@farm.example, two@farm.example'
    await sql`update email_state set enabled_at = null`.execute(db)
    await queueAlarms(deps)
    expect(await db.selectFrom('email_outbox').selectAll().execute()).toEqual([])
    await sql`update email_state set enabled_at = now() - interval '27 hours'`.execute(db)
    await queueAlarms(deps)
    await sendEmails(deps)
    expect(new Set(smtp.received.map((mail) => [mail.to].flat()[0]!.text))).toEqual(new Set(['one@farm.example', 'two@farm.example']))
  })
})
