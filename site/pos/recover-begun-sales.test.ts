import { beforeEach, expect, it, vi } from 'vitest'
import type { BegunSale } from './device/begun-sales.ts'
import type { QueuedSale } from './device/outbox-rules.ts'
import { recoverSale } from './recover-sale.ts'
import { newSale, type Sale } from './sale.ts'
import { SaleStore } from './sale-store.ts'

// The begun sales of a tab after the browser has crashed. IndexedDB has newer ones than sessionStorage.

const device = vi.hoisted(() => ({
  begun: [] as BegunSale[],
  putBack: [] as BegunSale[],
  queued: [] as Partial<QueuedSale>[],
  held: [] as Sale[],
  fails: { hold: false, putBack: false },
}))
vi.mock('./device/tab.ts', () => ({ currentTab: async () => ({ id: 'own', isDuplicate: false }), openTabs: async () => new Set(['own']) }))
vi.mock('./device/outbox.ts', () => ({ readOutbox: async () => device.queued }))
vi.mock('./device/begun-sales.ts', () => ({
  takeBegunSales: async () => device.begun,
  putBackBegunSale: async (begun: BegunSale) => {
    if (device.fails.putBack) throw new DOMException('The disk is full', 'QuotaExceededError')
    device.putBack.push(begun)
  },
  BegunSaleWriter: class {
    write() {}
  },
}))
vi.mock('./held-on-device.ts', async (original) => ({
  ...(await original<object>()),
  holdOnDevice: (_cashierId: number, _name: string, sale: Sale) => !device.fails.hold && device.held.push(sale) > 0,
}))

beforeEach(() => Object.assign(device, { begun: [], putBack: [], queued: [], held: [], fails: { hold: false, putBack: false } }))

const sale = (key: string, phone: string): Sale => ({ ...newSale(key), phone })
const begun = (of: Sale, at: number, tab = 'own'): BegunSale => ({ id: `7.${tab}`, cashierId: 7, tab, at, sale: of })

/** Opens the POS with a sale from sessionStorage; `meanwhile` is what the cashier enters before the begun sales are read. */
async function open(restored: Sale, meanwhile?: Sale) {
  const store = new SaleStore()
  store.set(restored)
  const opening = recoverSale({ store, cashierId: 7, restored: { sale: restored, at: 1000 }, nameOf: () => 'Held' })
  if (meanwhile) store.set(meanwhile)
  const isRecovered = await opening
  return { phone: store.get().phone, held: device.held.map(({ phone }) => phone), isRecovered }
}

const OLD = sale('k1', '01700000001')
const NEWER = sale('k2', '01700000002')

it('shows the begun sale that sessionStorage lacks; the one it has was sold', async () => {
  device.begun = [begun(NEWER, 2000)]
  device.queued = [{ key: 'k1', state: 'sold', sale: null }]
  expect(await open(OLD)).toEqual({ phone: NEWER.phone, held: [], isRecovered: false })
})

it('holds the begun sale that sessionStorage lacks where the cashier has entered another one meanwhile', async () => {
  device.begun = [begun(NEWER, 2000)]
  expect(await open(newSale('k1'), sale('k3', '01700000003'))).toEqual({ phone: '01700000003', held: [NEWER.phone], isRecovered: true })
})

it('the cashier goes on with an older state of the same sale', async () => {
  device.begun = [begun(sale('k1', '01700000009'), 2000)]
  expect(await open(OLD, { ...OLD, name: 'Karim' })).toEqual({ phone: OLD.phone, held: [], isRecovered: false })
})

it('goes on with the next begun sale where one can be stored nowhere', async () => {
  device.begun = [begun(NEWER, 500, 'ended'), begun(sale('k4', '01700000004'), 400, 'crashed')]
  device.fails = { hold: true, putBack: true }
  expect(await open(OLD)).toMatchObject({ phone: OLD.phone, isRecovered: true })
  device.fails.putBack = false
  await open(OLD)
  expect(device.putBack.map(({ sale: { phone } }) => phone)).toEqual([NEWER.phone, '01700000004'])
})
