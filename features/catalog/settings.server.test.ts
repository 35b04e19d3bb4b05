import { expect, test } from 'vitest'
import { readSettings } from './settings.server.ts'
import { DEFAULT_SETTINGS } from './settings.ts'

const holding = (stored: Record<string, unknown>) => ({
  query: async () => ({ rows: Object.entries(stored).map(([key, value]) => ({ key, value })) }),
})

test('nothing stored: the defaults', async () => {
  expect(await readSettings(holding({}))).toEqual(DEFAULT_SETTINGS)
})

test('what is stored holds, whatever it leaves out stays', async () => {
  const settings = await readSettings(holding({ cutoff_hour: 20, shop: { phone: '01700000000' } }))
  expect(settings.cutoff_hour).toBe(20)
  expect(settings.shop).toEqual({ ...DEFAULT_SETTINGS.shop, phone: '01700000000' })
})

test('a value of another type, or a key nobody knows, changes nothing', async () => {
  const settings = await readSettings(holding({ cutoff_hour: 'nine', shop: null, expiry: [1], colour: 'red' }))
  expect(settings).toEqual(DEFAULT_SETTINGS)
})
