import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { newSale } from '../sale.ts'
import { addToOutbox as add, changeInOutbox, readOutbox, renewKeyInOutbox, returnToScreen, storedSales, takeFromOutbox } from './outbox.ts'
import type { QueuedSale } from './outbox-rules.ts'

// The outbox on a database of records, whose deletes can fail and whose transactions can hang.

const { records, fails } = vi.hoisted(() => ({
  records: new Map<string, QueuedSale>(),
  fails: { delete: false, hangs: null as 'open' | 'write' | 'commit' | null, commitMs: 0 },
}))
vi.mock('./device-db.ts', () => {
  const never = new Promise<never>(() => {})
  const remove = async (key: string) => {
    if (fails.delete) throw new DOMException('The connection was lost', 'UnknownError')
    records.delete(key)
  }
  const add = async (sale: QueuedSale) => {
    if (records.has(sale.key)) throw new DOMException(sale.key, 'ConstraintError')
    records.set(sale.key, sale)
  }
  const getAll = async () => (fails.hangs === 'write' ? never : [...records.values()])
  const put = async (sale: QueuedSale) => void records.set(sale.key, sale)
  /** A transaction runs when those before it have ended. */
  let before = Promise.resolve()
  function transaction() {
    const { hangs, commitMs } = fails
    const turn = before
    const get = async (key: string) => turn.then(() => records.get(key))
    let stop: (reason: Error) => void = () => {}
    const ended = new Promise<never>((_, reject) => (stop = reject))
    ended.catch(() => {})
    const abort = () => {
      if (hangs !== 'write') throw new DOMException('The transaction is being committed', 'InvalidStateError')
      stop(new DOMException('Aborted', 'AbortError'))
    }
    const store = { getAll, get, add: hangs === 'write' ? () => ended : add, put, delete: remove }
    const done = commitMs > 0 ? new Promise<void>((resolve) => setTimeout(resolve, commitMs)) : Promise.resolve()
    before = done
    return { store, abort, done: hangs ? ended : done }
  }
  const db = { getAll, transaction, delete: (_store: string, key: string) => before.then(() => remove(key)) }
  return { deviceDb: async () => (fails.hangs === 'open' ? never : db) }
})

/** localStorage, whose keys are its own properties. */
const storage = Object.create({
  setItem: (key: string, text: string) => void Object.assign(storage, { [key]: text }),
  removeItem: (key: string) => void Reflect.deleteProperty(storage, key),
}) as Storage
vi.stubGlobal('localStorage', storage)
beforeEach(() => {
  records.clear()
  Object.assign(fails, { delete: false, hangs: null, commitMs: 0 })
  for (const key of Object.keys(storage)) storage.removeItem(key)
})
afterEach(() => void vi.useRealTimers())

const queued = (phone: string, more: Partial<QueuedSale> = {}): QueuedSale => ({
  key: 'k1',
  sequence: 0,
  cashier: { id: 7, name: 'Rahim' },
  soldAt: '2026-11-20T06:00:00.000Z',
  total: 100,
  body: { phone },
  sale: { ...newSale('k1'), phone },
  state: 'waiting',
  ...more,
})
const edited = (phone: string) => queued(phone, { sale: { ...newSale('k1'), phone, isUnsent: true } })
const REJECTED = { state: 'rejected', rejection: { reason: 'missing', message: 'Only 2 kg' } } as const
const addToOutbox = async (sale: QueuedSale) => (await add(sale)).sale
const stored = async () => (await storedSales()).map(({ key, state, body }) => [key, state, body.phone])

it('stores another sale under the same key as a sale of its own', async () => {
  await addToOutbox(queued('01700000001'))
  const other = await addToOutbox(queued('01700000002'))
  expect(other.key).not.toBe('k1')
  expect(await stored()).toEqual([
    ['k1', 'waiting', '01700000001'],
    [other.key, 'waiting', '01700000002'],
  ])
})

it('a rejected sale goes back to the screen, and is stored again with its changes', async () => {
  await returnToScreen(await addToOutbox(queued('01700000001')))
  expect(await stored()).toEqual([])
  expect(await addToOutbox(queued('01700000002'))).toMatchObject({ key: 'k1' })
})

it('an unsent sale that is edited on the screen stays in the list until it is placed', async () => {
  await addToOutbox(queued('01700000001'))
  await changeInOutbox('k1', REJECTED)
  expect(await addToOutbox(edited('01700000002'))).toMatchObject({ key: 'k1' })
  expect(await stored()).toEqual([['k1', 'waiting', '01700000002']])
  await returnToScreen(edited('01700000002'))
  expect(await storedSales()).toMatchObject([{ key: 'k1', ...REJECTED }])
  await returnToScreen(edited('01700000002'), { reason: 'changed', message: 'Now 120' })
  expect(await storedSales()).toMatchObject([{ key: 'k1', state: 'rejected', rejection: { message: 'Now 120' } }])
  await addToOutbox(edited('01700000003'))
  expect(await stored()).toEqual([['k1', 'waiting', '01700000003']])
})

it('an unsent sale that two tabs edit: the one that is placed first is not replaced', async () => {
  await addToOutbox(queued('01700000001'))
  await changeInOutbox('k1', REJECTED)
  await addToOutbox(edited('01700000002'))
  const second = await addToOutbox(edited('01700000003'))
  expect(await stored()).toEqual([
    ['k1', 'waiting', '01700000002'],
    [second.key, 'waiting', '01700000003'],
  ])
})

it('an unsent sale gets a key of its own; one that another tab has sold meanwhile stays as it is', async () => {
  await addToOutbox(queued('01700000001'))
  await changeInOutbox('k1', REJECTED)
  await renewKeyInOutbox('k1')
  const [{ key, state, rejection }] = (await storedSales()) as [QueuedSale]
  expect([key === 'k1', state, rejection]).toEqual([false, 'waiting', undefined])
  await changeInOutbox(key, { state: 'sold', orderId: 5, sale: null, body: {} })
  await changeInOutbox(key, { state: 'waiting', body: { phone: '01700000001' } })
  await renewKeyInOutbox(key)
  expect(await storedSales()).toMatchObject([{ key, state: 'sold', orderId: 5 }])
})

it('an unsent sale that another tab has sold while it was edited stays sold: its changes are sent from the screen', async () => {
  await addToOutbox(queued('01700000001'))
  await changeInOutbox('k1', REJECTED)
  await changeInOutbox('k1', { state: 'sold', orderId: 5, sale: null, body: {} })
  await expect(addToOutbox(edited('01700000002'))).rejects.toThrow('sold in another tab')
  expect(await storedSales()).toMatchObject([{ key: 'k1', state: 'sold', orderId: 5 }])
})

it('a sale that another tab has sold is not taken out of the list', async () => {
  await addToOutbox(queued('01700000001'))
  await changeInOutbox('k1', { state: 'sold', orderId: 5, sale: null, body: {} })
  await takeFromOutbox('k1')
  expect(await storedSales()).toMatchObject([{ key: 'k1', state: 'sold', orderId: 5 }])
  expect(Object.keys(storage)).toEqual([])
})

it('a sale that the browser could not delete is not sent, and is replaced when it is placed again', async () => {
  await addToOutbox(queued('01700000001'))
  fails.delete = true
  await expect(takeFromOutbox('k1')).rejects.toThrow('The connection was lost')
  expect(await stored()).toEqual([])
  fails.delete = false
  expect(await addToOutbox(queued('01700000002'))).toMatchObject({ key: 'k1' })
  expect(await stored()).toEqual([['k1', 'waiting', '01700000002']])
})

it('a sale that the browser could not delete is not sent by another tab, or after a reload', async () => {
  await addToOutbox(queued('01700000001'))
  fails.delete = true
  await expect(takeFromOutbox('k1')).rejects.toThrow('The connection was lost')
  vi.resetModules()
  const other = await import('./outbox.ts')
  expect(await other.storedSales()).toEqual([])
  fails.delete = false
  expect((await other.addToOutbox(queued('01700000002'))).sale).toMatchObject({ key: 'k1' })
  expect(await other.storedSales()).toMatchObject([{ key: 'k1', body: { phone: '01700000002' } }])
  expect(Object.keys(storage)).toEqual([])
})

it('a sale that the browser could not delete is deleted with the next one that is stored', async () => {
  await addToOutbox(queued('01700000001'))
  fails.delete = true
  await expect(takeFromOutbox('k1')).rejects.toThrow('The connection was lost')
  fails.delete = false
  await addToOutbox({ ...queued('01700000002'), key: 'k2' })
  await expect.poll(() => [...records.keys()]).toEqual(['k2'])
})

it('a sale that the browser could not delete is not deleted after another tab has placed it', async () => {
  await addToOutbox(queued('01700000001'))
  fails.delete = true
  await expect(takeFromOutbox('k1')).rejects.toThrow('The connection was lost')
  fails.delete = false
  vi.resetModules()
  await (await import('./outbox.ts')).addToOutbox(queued('01700000002'))
  vi.useFakeTimers()
  await addToOutbox(queued('01700000003', { key: 'k2' }))
  await vi.advanceTimersByTimeAsync(1000)
  expect(await stored()).toEqual([
    ['k1', 'waiting', '01700000002'],
    ['k2', 'waiting', '01700000003'],
  ])
})

it.each(['read before', 'not read yet'])('tells whether another sale of the cashier waits, and keeps the order; %s', async (when) => {
  vi.resetModules()
  const outbox = await import('./outbox.ts')
  if (when === 'read before') await outbox.readOutbox()
  const sequences = []
  for (const [key, id] of [
    ['k1', 7],
    ['k2', 7],
    ['k3', 8],
  ] as const) {
    const { sale, isAlone } = await outbox.addToOutbox(queued('01700000001', { key, cashier: { id, name: '' } }))
    sequences.push([sale.sequence, isAlone])
  }
  expect(sequences).toEqual([
    [1, true],
    [2, false],
    [3, true],
  ])
})

it('a sale that another tab has stored since this one looked is neither replaced nor stored twice', async () => {
  await readOutbox()
  records.set('k1', queued('01700000001', { sequence: 4 }))
  const other = await add(queued('01700000002'))
  expect(other.sale.key).not.toBe('k1')
  expect(other).toMatchObject({ isAlone: false, sale: { sequence: 5 } })
  await readOutbox()
  records.set('k2', queued('01700000003', { key: 'k2', sequence: 6 }))
  expect((await add(queued('01700000003', { key: 'k2' }))).sale).toMatchObject({ key: 'k2', sequence: 6 })
  expect(records.size).toBe(3)
})

it('deletes the sales that were sent before the last fifty', async () => {
  const soldAt = new Date().toISOString()
  for (let sequence = 1; sequence <= 60; sequence++)
    records.set(`s${sequence}`, queued('', { key: `s${sequence}`, sequence, state: 'sold', soldAt }))
  await addToOutbox(queued('01700000001'))
  await expect.poll(() => records.size).toBe(51)
  expect([records.has('s10'), records.has('s11'), records.has('k1')]).toEqual([false, true, true])
})

it.each(['open', 'write', 'commit'] as const)(
  'a sale that the browser does not store in time is not stored: its %s hangs',
  async (hangs) => {
    await readOutbox()
    vi.useFakeTimers()
    fails.hangs = hangs
    const outcome = add(queued('01700000001')).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(4000)
    expect(await outcome).toEqual(new Error('Timeout'))
    vi.useRealTimers()
    fails.hangs = null
    // It is not sent by itself, and is stored when it is placed again.
    expect(await stored()).toEqual([])
    expect(await addToOutbox(queued('01700000002'))).toMatchObject({ key: 'k1' })
    expect(await stored()).toEqual([['k1', 'waiting', '01700000002']])
  },
)

it('what the page shows stays where the outbox cannot be read any more', async () => {
  await addToOutbox(queued('01700000001'))
  expect(await readOutbox()).toHaveLength(1)
  vi.useFakeTimers()
  fails.hangs = 'open'
  const reading = readOutbox()
  await vi.advanceTimersByTimeAsync(4000)
  expect(await reading).toHaveLength(1)
})

it('a sale that was placed again while it was to be deleted stays', async () => {
  await addToOutbox(queued('01700000001'))
  fails.delete = true
  await expect(takeFromOutbox('k1')).rejects.toThrow('The connection was lost')
  fails.delete = false
  vi.useFakeTimers()
  await addToOutbox(queued('01700000002', { key: 'k2' }))
  // Its deletion, which follows the other sale, begins while it is being stored.
  await vi.advanceTimersByTimeAsync(300)
  fails.commitMs = 200
  const again = addToOutbox(queued('01700000003'))
  await vi.advanceTimersByTimeAsync(1000)
  await again
  expect((await stored()).toSorted()).toEqual([
    ['k1', 'waiting', '01700000003'],
    ['k2', 'waiting', '01700000002'],
  ])
})
