import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '#test/free-port.ts'
import { bulkSmsBd } from './bulksmsbd.server.ts'
import type { SmsFault } from '#dev/sms-simulator/plugin.server.ts'
import { startSmsSimulator, TEST_API_KEY } from './testing/start-sms-simulator.ts'

// Row 78: what the company may answer, over a real connection.

const company = await startSmsSimulator({ timeoutMs: 400 })
afterAll(() => company.close())
beforeEach(() => {
  company.taken.length = 0
  Object.assign(company.options, { faults: [], balance: undefined, slowMs: 100 })
})
const sms = { phone: '01711000001', text: 'অর্ডার 1024: বাকি ৳1,500 & {ধন্যবাদ} +%' }

describe('BulkSMSBD', () => {
  it('takes a message exactly as it was written', async () => {
    expect(await company.gateway.send(sms)).toEqual({ state: 'submitted', reference: expect.stringMatching(/^\d+$/) })
    expect(company.taken).toEqual([{ phone: '8801711000001', text: sms.text, senderId: 'Khamar' }])
  })

  it.each<[string, SmsFault, object]>([
    ['is slow', 'slow', { state: 'submitted' }],
    ['answers 500', 'error', { state: 'rejected', code: 'http-500', canRetry: true, problem: null }],
    ['answers 502 through a proxy', 'bad-gateway', { state: 'unknown', detail: 'http-502' }],
    ['took it and then answers 504', 'late-500', { state: 'unknown', detail: 'http-504' }],
    ['answers HTML', 'html', { state: 'unknown', detail: 'not-json' }],
    ['shuts us out', 'forbidden', { state: 'rejected', code: 'http-403', problem: 'account' }],
    ['took it and says nothing', 'hang', { state: 'unknown', detail: 'timeout' }],
    ['cuts the line', 'cut', { state: 'unknown' }],
    ['has no balance', 1007, { state: 'rejected', code: '1007', problem: 'balance' }],
    ['does not know the number', 1001, { state: 'rejected', code: '1001', canRetry: false }],
  ])('%s', async (_name, fault, outcome) => {
    company.options.faults = [fault]
    expect(await company.gateway.send(sms)).toMatchObject(outcome)
  })

  it('nobody is there', async () => {
    const log = { info() {}, warn() {} }
    const nobody = bulkSmsBd({ apiKey: 'x', senderId: 'x', baseUrl: `http://127.0.0.1:${await freePort()}`, log })
    expect(await nobody.send(sms)).toMatchObject({ state: 'rejected', canRetry: true, problem: 'unreachable' })
  })

  it('is given up in the middle', async () => {
    company.options.faults = ['hang']
    expect(await company.gateway.send(sms, AbortSignal.timeout(50))).toMatchObject({ state: 'unknown' })
  })

  it('runs out of money', async () => {
    company.options.balance = 0.5
    expect(await company.gateway.balance()).toEqual({ ok: true, poisha: 50 })
    expect((await company.gateway.send(sms)).state).toBe('submitted')
    expect(await company.gateway.send(sms)).toMatchObject({ code: '1007' })
  })

  it('keeps key, number and text out of the log', () => {
    const log = JSON.stringify(company.logged)
    expect(company.logged.length).toBeGreaterThan(8)
    for (const secret of [TEST_API_KEY, '1711000001', 'অর্ডার']) expect(log).not.toContain(secret)
  })
})
