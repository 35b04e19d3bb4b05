import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { senderOnSimulator } from './testing/sender-on-simulator.ts'

// Problems of the whole provider: what waits is not used up, and goes out when they are over.

const { db } = await testDb()
const { company, logged, rows, states, start, queue, settled, provider, timePasses } = await senderOnSimulator(db)

describe('the provider', () => {
  it.each([1032, 'forbidden'] as const)(
    'rejects the account with %s: what waits is sent when it is put right, however late',
    async (fault) => {
      company.options.always = fault
      await queue()
      const sender = start()
      // The message is put off before the provider is paused.
      const rejected = () =>
        expect
          .poll(async () => [await provider(), ...(await rows())])
          .toMatchObject([
            { problem: 'account', paused: true },
            { state: 'queued', attempts: 0, waits: true },
          ])
      await rejected()
      for (let tries = 2; tries <= 8; tries += 1) {
        await timePasses()
        sender.notify()
        await rejected()
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
    await expect.poll(provider).toEqual({ problem: 'balance', paused: true })
    sender.notify()
    await sleep(200)
    await expect
      .poll(async () => (await rows()).map(({ state, attempts }) => ({ state, attempts })))
      .toEqual(Array.from({ length: 10 }, () => ({ state: 'queued', attempts: 0 })))
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
    await expect.poll(provider).toEqual({ problem: 'unreachable', paused: true })
    await sleep(200)
    const lost = async () => (await states()).filter((state) => state === 'unknown').length
    const first = await lost()
    expect(first).toBeLessThanOrEqual(6)
    expect(logged.filter(({ level }) => level === 'error')).toMatchObject([
      { detail: { problem: 'unreachable', code: 'http-502' }, message: 'SMS cannot be sent' },
    ])
    await timePasses()
    sender.notify()
    await expect.poll(lost).toBe(first + 1)
    await sleep(200)
    expect(await lost()).toBe(first + 1)
    company.options.always = null
    await timePasses()
    sender.notify()
    await expect.poll(async () => (await states()).filter((state) => state === 'submitted').length).toBe(20 - first - 1)
    expect(await provider()).toEqual({ problem: null, paused: false })
  })
})
