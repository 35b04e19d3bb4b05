import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import type { Db } from '#lib/db/db.server.ts'
import { type NewSms, queueSms } from '../queue-sms.server.ts'
import { SmsSender, type SmsSenderOptions } from '../sender.server.ts'
import { startSmsSimulator } from './start-sms-simulator.ts'

interface Row {
  id: number
  state: string
  failure: string | null
  attempts: number
  body: string
  waits: boolean
}

/** Senders on a simulated provider (`company`), with an empty outbox and no problem before each test; stopped after it. */
export async function senderOnSimulator(db: Db) {
  const company = await startSmsSimulator({ timeoutMs: 3_000 })
  const running: SmsSender[] = []
  const logged: { level: string; detail: object; message: string }[] = []
  const note = (level: string) => (detail: object, message: string) => void logged.push({ level, detail, message })
  const log = { warn: note('warn'), error: note('error') }
  afterAll(() => company.close())
  beforeEach(async () => {
    await sql`truncate sms_outbox`.execute(db)
    await sql`update sms_provider set paused_until = null, problem = null, problem_since = null`.execute(db)
    company.taken.length = 0
    logged.length = 0
    Object.assign(company.options, { faults: [], always: null, balance: undefined, takesMs: 0, slowMs: 200 })
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((sender) => sender.stop()))
  })
  let serial = 0
  const rows = async () => {
    const found =
      await sql<Row>`select id, state, failure, attempts, body, not_before > now() as waits from sms_outbox order by id`.execute(db)
    return found.rows
  }
  const states = async () => (await rows()).map(({ state }) => state)
  return {
    company,
    logged,
    /** Collects in `logged`. */
    log,
    rows,
    states,
    start(options: Partial<SmsSenderOptions> = {}): SmsSender {
      const sender = new SmsSender({ db, gateway: company.gateway, log, ...options })
      running.push(sender)
      sender.start()
      return sender
    },
    queue: (sms: Partial<NewSms> = {}) =>
      queueSms(db, { purpose: 'order', event: `event-${(serial += 1)}`, phone: '01711000001', text: 'Order 1 is on its way', ...sms }),
    settled: (expected: string[]) => expect.poll(states, { timeout: 12_000, interval: 10 }).toEqual(expected),
    async provider() {
      const found = await sql<{ problem: string | null; paused: boolean }>`
        select problem, coalesce(paused_until > now(), false) as paused from sms_provider`.execute(db)
      return found.rows[0]
    },
    /** What was put off is due. */
    async timePasses() {
      await sql`update sms_outbox set not_before = now() - interval '1 second' where state = 'queued'`.execute(db)
      await sql`update sms_provider set paused_until = null`.execute(db)
    },
  }
}
