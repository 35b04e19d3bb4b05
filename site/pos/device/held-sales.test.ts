import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdOnDevice, listHeldOnDevice } from '../held-on-device.ts'
import { newSale } from '../sale.ts'
import { exchangeHeld, resumeHeld } from './held-sales.ts'

/** How the shop answers a request. */
let answerOf: (method: string) => Response
/** The bodies of the requests. */
let sent: string[]

beforeEach(() => {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => {
      stored.set(key, text)
      Object.assign(storage, { [key]: text })
    },
    removeItem: (key: string) => {
      stored.delete(key)
      Reflect.deleteProperty(storage, key)
    },
  }
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('document', { querySelector: () => null })
  sent = []
  vi.stubGlobal('fetch', async (_url: string, { method = 'GET', body }: RequestInit = {}) => {
    if (typeof body === 'string') sent.push(body)
    return answerOf(method)
  })
  holdOnDevice(7, 'Red shirt', { ...newSale(), phone: '01712345678' })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const held = () => listHeldOnDevice(7).map(({ name, isSent }) => [name, isSent])
const listed = () => Response.json({ held: [] })

it('a held sale that the shop has from another register of this device is the same', async () => {
  const reused = () => Response.json({ message: 'Sent with other contents', reason: 'key-reused' }, { status: 409 })
  answerOf = (method) => (method === 'POST' ? reused() : listed())
  expect(await exchangeHeld(7)).toEqual({ held: [], problems: [] })
  expect(held()).toEqual([])
})

it('a sent sale stays on the device until the list of the shop has it', async () => {
  answerOf = (method) => {
    if (method === 'POST') return Response.json({ success: true })
    throw new TypeError('no network')
  }
  expect(await exchangeHeld(7)).toEqual({ held: null, problems: [] })
  expect(held()).toEqual([['Red shirt', true]])
  answerOf = (method) => (method === 'POST' ? Response.json({ success: true }) : listed())
  await exchangeHeld(7)
  expect(held()).toEqual([])
})

it('a held sale that the shop cannot take stays on the device, and says so', async () => {
  const full = () => Response.json({ message: 'The shop already holds 200 sales.', reason: 'too-many' }, { status: 409 })
  answerOf = (method) => (method === 'POST' ? full() : listed())
  expect(await exchangeHeld(7)).toEqual({ held: [], problems: ['The shop already holds 200 sales.'] })
  expect(held()).toEqual([['Red shirt', false]])
})

it('a resumed sale whose answer was lost is held again, also after the clock of the device was set back', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-20T09:00:00Z'), toFake: ['Date'] })
  answerOf = () => {
    throw new TypeError('no network')
  }
  expect(await resumeHeld(7, 'a-sale-of-the-shop', false)).toMatchObject({ kind: 'no-answer' })
  vi.setSystemTime(new Date('2026-11-19T09:00:00Z'))
  const sale = { ...newSale(), phone: '01812345678' }
  answerOf = (method) => (method === 'POST' ? Response.json({ name: 'Blue shirt', sale, success: true }) : listed())
  await exchangeHeld(7)
  expect(sent.filter((body) => body.includes('"name":"Blue shirt"'))).toHaveLength(1)
})
