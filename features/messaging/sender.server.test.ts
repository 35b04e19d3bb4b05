import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { checkBalance, pollBalance } from './check-balance.server.ts'
import { findSmsProvider } from './queries.server.ts'
import { resendSms } from './resend-sms.server.ts'
import { SmsSender } from './sender.server.ts'
import { senderOnSimulator } from './testing/sender-on-simulator.ts'

// Rows 77 and 78, and all that must not happen twice, on a real database and a real connection.

const { db } = await testDb()
const { company, log, logged, rows, states, start, queue, settled, provider, timePasses } = await senderOnSimulator(db)
const who = { kind: 'staff' as const, id: (await buildUser(db, { role: 'sales' })).id, ip: '127.0.0.1' }

describe('sends', () => {
  it('what waits when it starts, and what comes after a wake-up within a moment', async () => {
    await queue()
    const sender = start()
    await settled(['submitted'])
    await queue({ text: 'আরেকটি' })
    sender.notify()
    const began = performance.now()
    await settled(['submitted', 'submitted'])
    expect(performance.now() - began).toBeLessThan(5000)
    expect(company.taken.map(({ text }) => text)).toEqual(['Order 1 is on its way', 'আরেকটি'])
    expect(logged).toEqual([])
  })

  it('200 messages once each, by three senders that are woken all the time', async () => {
    company.options.takesMs = 5
    await Promise.all(Array.from({ length: 200 }, (_, index) => queue({ text: `Message ${index}` })))
    const senders = [start(), start(), start()]
    const waking = setInterval(() => senders.forEach((sender) => sender.notify()), 5)
    await expect.poll(async () => (await states()).every((state) => state === 'submitted')).toBe(true)
    clearInterval(waking)
    expect(company.taken.length).toBe(200)
    expect(new Set(company.taken.map(({ text }) => text)).size).toBe(200)
  })

  it('codes before everything else, and wipes them once they are out', async () => {
    for (let count = 0; count < 6; count += 1) await queue()
    await queue({ purpose: 'code', text: 'Your code is 123456, আর ১২৩' })
    start()
    await settled(Array.from({ length: 7 }, () => 'submitted'))
    expect(company.taken.slice(0, 4).map(({ text }) => text)).toContain('Your code is 123456, আর ১২৩')
    expect((await rows()).at(-1)?.body).toBe('Your code is ••••••, আর •••')
  })

  it('nothing while no provider is configured', async () => {
    await queue()
    start({ gateway: null }).notify()
    await sleep(100)
    expect(await states()).toEqual(['queued'])
  })

  it('a Bengali letter with a dot as one character, which costs less', async () => {
    await queue({ text: 'হ\u09af\u09bc' })
    start()
    await settled(['submitted'])
    expect(company.taken.map(({ text }) => text)).toEqual(['হ\u09df'])
  })

  it('a text that is too long only in part', async () => {
    await queue({ text: 'ক'.repeat(900) })
    expect((await rows())[0]?.body).toHaveLength(402)
  })
})

describe('the provider', () => {
  it('answers 500: tried again later, and sent once', async () => {
    company.options.faults = ['error']
    await queue()
    const sender = start()
    await expect.poll(rows).toMatchObject([{ state: 'queued', failure: 'http-500', attempts: 1, waits: true }])
    await timePasses()
    sender.notify()
    await settled(['submitted'])
    expect(company.taken).toHaveLength(1)
  })

  it('answers 1005 for ever: given up after six tries', async () => {
    company.options.always = 1005
    await queue()
    const sender = start()
    for (let tries = 1; tries < 6; tries += 1) {
      await expect.poll(rows).toMatchObject([{ state: 'queued', attempts: tries, failure: '1005' }])
      await timePasses()
      sender.notify()
    }
    await expect.poll(rows).toMatchObject([{ state: 'failed', failure: '1005', attempts: 6 }])
  })

  it.each(['hang', 'html', 'cut', 'bad-gateway', 'late-500'] as const)('%s: unknown, so it is not sent again', async (fault) => {
    company.options.faults = [fault]
    await queue()
    const sender = start()
    await settled(['unknown'])
    await timePasses()
    const taken = company.taken.length
    expect(taken).toBeLessThanOrEqual(1)
    await queue({ text: 'The next one' })
    sender.notify()
    await settled(['unknown', 'submitted'])
    expect(company.taken.slice(taken).map(({ text }) => text)).toEqual(['The next one'])
    expect(logged).toMatchObject([{ level: 'warn', message: 'SMS may or may not have been sent' }])
  })

  it('is slow: others do not wait behind', async () => {
    company.options.faults = ['slow']
    company.options.slowMs = 500
    await queue({ text: 'slow' })
    await queue({ text: 'quick' })
    start()
    await settled(['submitted', 'submitted'])
    expect(company.taken.map(({ text }) => text)).toEqual(['quick', 'slow'])
  })

  it('rejects the number: failed immediately, the others continue', async () => {
    company.options.faults = [1001]
    await queue()
    start()
    await settled(['failed'])
    expect(await provider()).toEqual({ problem: null, paused: false })
  })
})

describe('is never late, never silent', () => {
  it('a code that waited two minutes is not sent', async () => {
    await queue({ purpose: 'code', text: 'Code 987654' })
    await sql`update sms_outbox set expires_at = now() - interval '1 second'`.execute(db)
    start()
    await settled(['failed'])
    expect(await rows()).toMatchObject([{ failure: 'expired', body: 'Code ••••••' }])
    expect(company.taken).toEqual([])
  })

  it('in a shop without an SMS company nothing fails: an expired message is skipped, with the reason', async () => {
    await queue()
    await sql`update sms_outbox set expires_at = now() - interval '1 second'`.execute(db)
    start({ gateway: null })
    await settled(['skipped'])
    expect(await rows()).toMatchObject([{ failure: 'not-configured' }])
  })

  it('what a killed process left is unknown, and is sent again by a person only, once', async () => {
    const id = (await queue()) ?? 0
    await sql`update sms_outbox set state = 'sending', attempts = 1, updated_at = now() - interval '2 minutes'`.execute(db)
    const sender = start()
    await settled(['unknown'])
    expect(logged).toMatchObject([{ level: 'warn', detail: { messages: 1 } }])
    expect(company.taken).toEqual([])
    const presses = await Promise.all(Array.from({ length: 5 }, () => resendSms(db, id, who)))
    expect(presses.filter(({ ok }) => ok)).toHaveLength(1)
    expect(presses.filter((press) => !press.ok && press.reason === 'not-failed')).toHaveLength(4)
    sender.notify()
    await settled(['submitted'])
    expect(company.taken).toHaveLength(1)
  })

  it('what another process is sending just now is left alone', async () => {
    await queue()
    await sql`update sms_outbox set state = 'sending', attempts = 1, updated_at = now() - interval '20 seconds'`.execute(db)
    await queue()
    start()
    // Once the later message is out, the sender has looked at the first.
    await settled(['sending', 'submitted'])
    expect(company.taken).toHaveLength(1)
  })

  it('codes and what is not there are not sent again', async () => {
    const id = (await queue({ purpose: 'code' })) ?? 0
    await sql`update sms_outbox set state = 'failed'`.execute(db)
    expect(await resendSms(db, id, who)).toEqual({ ok: false, reason: 'code' })
    expect(await resendSms(db, 999_999_999, who)).toEqual({ ok: false, reason: 'not-there' })
  })

  it('stopping waits for calls, aborts hanging ones, and leaves no row in sending', async () => {
    company.options.faults = ['slow', 'hang']
    // No call ends before the sender is told to stop: it would take the third message.
    const { promise: told, resolve: tell } = Promise.withResolvers<void>()
    const delayed = new SmsSender({
      db,
      log,
      gateway: { ...company.gateway, send: async (sms, signal) => (await told, company.gateway.send(sms, signal)) },
    })
    for (let count = 0; count < 2; count += 1) await queue()
    delayed.start()
    await expect.poll(states).toEqual(['sending', 'sending'])
    await queue()
    const stopping = delayed.stop()
    tell()
    await stopping
    expect((await states()).toSorted()).toEqual(['queued', 'submitted', 'unknown'])
    delayed.notify()
    await sleep(100)
    expect((await states()).toSorted()).toEqual(['queued', 'submitted', 'unknown'])
  })
})

describe('the admin shows', () => {
  it('that no provider is configured, until one is', async () => {
    start({ gateway: null })
    await expect.poll(provider).toEqual({ problem: 'not-configured', paused: false })
    start()
    await expect.poll(provider).toEqual({ problem: null, paused: false })
  })

  it('the balance at the provider', async () => {
    company.options.balance = 123.45
    expect(await checkBalance(db, company.gateway)).toEqual({ ok: true, poisha: 12_345 })
    await pollBalance(db, company.gateway, { warn: log.warn })
    expect(logged).toEqual([{ level: 'warn', detail: { taka: 123.45 }, message: 'SMS balance is low' }])
    expect(await findSmsProvider(db)).toMatchObject({ balance: 123.45, problem: null })
    await pollBalance(db, null, { warn: log.warn })
  })
})
