import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdOnDevice, listHeldOnDevice } from '../held-on-device.ts'
import { newSale } from '../sale.ts'
import { exchangeHeld } from './held-sales.ts'

/** How the shop answers a request. */
let answerOf: (method: string) => Response

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
  vi.stubGlobal('fetch', async (_url: string, { method = 'GET' }: RequestInit = {}) => answerOf(method))
  holdOnDevice(7, 'Red shirt', { ...newSale(), phone: '01712345678' })
})
afterEach(() => vi.unstubAllGlobals())

const held = () => listHeldOnDevice(7).map(({ name, isSent }) => [name, isSent])
const listed = () => Response.json({ held: [] })

it('a held sale that the shop has from another register of this device is the same', async () => {
  const reused = () => Response.json({ message: 'Sent with other contents', reason: 'key-reused' }, { status: 409 })
  answerOf = (method) => (method === 'POST' ? reused() : listed())
  expect(await exchangeHeld(7)).toEqual({ held: [], problems: [] })
  expect(held()).toEqual([])
})

it('a held sale that the shop cannot take stays on the device, and says so', async () => {
  const full = () => Response.json({ message: 'The shop already holds 200 sales.', reason: 'too-many' }, { status: 409 })
  answerOf = (method) => (method === 'POST' ? full() : listed())
  expect(await exchangeHeld(7)).toEqual({ held: [], problems: ['The shop already holds 200 sales.'] })
  expect(held()).toEqual([['Red shirt', false]])
})
