import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { queueSms } from './queue-sms.server.ts'
import { SmsSender } from './sender.server.ts'
import { startSmsSimulator } from './testing/start-sms-simulator.ts'

// Problems of the whole provider: what waits is not used up, and goes out when they are over.

const { db } = await testDb()
const company = await startSmsSimulator({ timeoutMs: 3_000 })
const POLL = { timeout: 10_000 }
const running: SmsSender[] = []
const logged: { level: string; detail: object; message: string }[] = []
const note = (level: string) => (detail: object, message: string) => void logged.push({ level, detail, message })
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

function start(): SmsSender {
  const log = { warn: note('warn'), error: note('error') }
  const sender = new SmsSender({ db, gateway: company.gateway, log })
  running.push(sender)
  sender.start()
  return sender
}
let serial = 0
const queue = () => queueSms(db, { purpose: 'order', event: `event-${(serial += 1)}`, phone: '01711000001', text: 'Order 1 is on its way' })
type Row = { state: string; attempts: number; waits: boolean }
async function rows(): Promise<Row[]> {
  const found = await sql<Row>`select state, attempts, not_before > now() as waits from sms_outbox order by id`.execute(db)
  return found.rows
}
const states = async () => (await rows()).map(({ state }) => state)
const settled = (expected: string[]) => expect.poll(states, { timeout: 12_000, interval: 10 }).toEqual(expected)
async function provider() {
  return (
    await sql<{
      problem: string | null
      paused: boolean
    }>`select problem, coalesce(paused_until > now(), false) as paused from sms_provider`.execute(db)
  ).rows[0]
}
/** What was put off is due. */
const timePasses = async () => {
  await sql`update sms_outbox set not_before = now() - interval '1 second' where state = 'queued'`.execute(db)
  await sql`update sms_provider set paused_until = null`.execute(db)
}

describe('the provider', () => {
  it.each([1032, 'forbidden'] as const)(
    'rejects the account with %s: what waits is sent when it is put right, however late',
    async (fault) => {
      company.options.always = fault
      await queue()
      const sender = start()
      for (let tries = 1; tries <= 8; tries += 1) {
        await expect.poll(rows, POLL).toMatchObject([{ state: 'queued', attempts: 0, waits: true }])
        await timePasses()
        sender.notify()
        await expect.poll(provider, POLL).toEqual({ problem: 'account', paused: true })
      }
      company.options.always = null
      await timePasses()
      sender.notify()
      await settled(['submitted'])
    },
  )

  it('has no balance: everything waits, nothing is used up, one alert; the next success ends it', async () => {
    company.options.balance = 0
    for (let count = 0; count < 10; count += 1) await queue()
    const sender = start()
    await expect.poll(provider, POLL).toEqual({ problem: 'balance', paused: true })
    sender.notify()
    await sleep(200)
    const waiting = await rows()
    expect(new Set(waiting.map(({ state }) => state))).toEqual(new Set(['queued']))
    expect(new Set(waiting.map(({ attempts }) => attempts))).toEqual(new Set([0]))
    expect(logged.filter(({ level }) => level === 'error')).toEqual([
      { level: 'error', detail: { problem: 'balance', code: '1007' }, message: 'SMS cannot be sent' },
    ])
    company.options.balance = 100
    await timePasses()
    sender.notify()
    await settled(Array.from({ length: 10 }, () => 'submitted'))
    expect(await provider()).toEqual({ problem: null, paused: false })
    expect(company.taken).toHaveLength(10)
  })

  it('has an outage behind its proxy: after three messages the others wait, one tries again, and all go out when it is over', async () => {
    company.options.always = 'bad-gateway'
    for (let count = 0; count < 20; count += 1) await queue()
    const sender = start()
    await expect.poll(provider, POLL).toEqual({ problem: 'unreachable', paused: true })
    await sleep(200)
    const lost = async () => (await states()).filter((state) => state === 'unknown').length
    const first = await lost()
    expect(first).toBeLessThanOrEqual(6)
    expect(logged.filter(({ level }) => level === 'error')).toMatchObject([
      { detail: { problem: 'unreachable', code: 'http-502' }, message: 'SMS cannot be sent' },
    ])
    await timePasses()
    sender.notify()
    await expect.poll(lost, POLL).toBe(first + 1)
    await sleep(200)
    expect(await lost()).toBe(first + 1)
    company.options.always = null
    await timePasses()
    sender.notify()
    await expect.poll(async () => (await states()).filter((state) => state === 'submitted').length, POLL).toBe(20 - first - 1)
    expect(await provider()).toEqual({ problem: null, paused: false })
  })
})
