import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { REFRESH_MS, refreshed, refreshUrl, startRefresh } from './status-refresh.ts'
import type { StatusUpdateJson } from '../types.ts'

const update: StatusUpdateJson = { id: 1, status: 'hold', price: 100, discount: null, discount_type: null, note: '', delivery_date: null }

function page(responses: (StatusUpdateJson[] | null | Error)[] = []) {
  const target = new EventTarget()
  const view = new EventTarget()
  let hidden = false
  const fetchStatuses = vi.fn<() => Promise<StatusUpdateJson[] | null>>(async () => {
    const response = responses.length > 0 ? (responses.shift() ?? null) : [update]
    if (response instanceof Error) throw response
    return response
  })
  const onUpdate = vi.fn<(updates: StatusUpdateJson[]) => void>()
  const stop = startRefresh({ fetchStatuses, onUpdate, isHidden: () => hidden }, target, view)
  const look = (away: boolean) => {
    hidden = away
    target.dispatchEvent(new Event('visibilitychange'))
  }
  const show = (persisted: boolean) => view.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }))
  return { fetchStatuses, onUpdate, stop, look, show }
}

describe('the status refresh of shown products', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const pass = (turns: number) => vi.advanceTimersByTimeAsync(turns * REFRESH_MS)

  test('fetches every 10 seconds, not immediately', async () => {
    const { fetchStatuses, onUpdate, stop } = page()
    expect(fetchStatuses).not.toHaveBeenCalled()
    await pass(3)
    expect(fetchStatuses).toHaveBeenCalledTimes(3)
    expect(onUpdate).toHaveBeenLastCalledWith([update])
    stop()
  })

  test('pauses while the page is hidden, and fetches immediately when it is visible again', async () => {
    const { fetchStatuses, look, stop } = page()
    look(true)
    await pass(10)
    expect(fetchStatuses).not.toHaveBeenCalled()
    look(false)
    expect(fetchStatuses).toHaveBeenCalledTimes(1)
    await pass(1)
    expect(fetchStatuses).toHaveBeenCalledTimes(2)
    stop()
  })

  test('continues after a failed fetch without an update', async () => {
    const { fetchStatuses, onUpdate, stop } = page([new Error('offline'), null])
    await pass(2)
    expect(onUpdate).not.toHaveBeenCalled()
    await pass(1)
    expect(fetchStatuses).toHaveBeenCalledTimes(3)
    expect(onUpdate).toHaveBeenCalledOnce()
    stop()
  })

  test('continues after an update that throws', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { fetchStatuses, onUpdate, stop } = page()
    onUpdate.mockImplementationOnce(() => {
      throw new RangeError('not a whole number')
    })
    await pass(2)
    expect(fetchStatuses).toHaveBeenCalledTimes(2)
    expect(onUpdate).toHaveBeenCalledTimes(2)
    expect(logged).toHaveBeenCalledOnce()
    logged.mockRestore()
    stop()
  })

  test('continues immediately when the page is back from the back/forward cache', async () => {
    const { fetchStatuses, look, show, stop } = page()
    show(false)
    expect(fetchStatuses).not.toHaveBeenCalled()
    look(true)
    look(false)
    await pass(0)
    show(true)
    expect(fetchStatuses).toHaveBeenCalledTimes(2)
    await pass(2)
    expect(fetchStatuses).toHaveBeenCalledTimes(4)
    stop()
  })

  test('continues after the page was hidden during a fetch', async () => {
    let respond: (found: StatusUpdateJson[]) => void = () => {}
    const { fetchStatuses, look, stop } = page()
    fetchStatuses.mockImplementationOnce(() => new Promise((resolve) => (respond = resolve)))
    await pass(1)
    look(true)
    respond([])
    await pass(3)
    expect(fetchStatuses).toHaveBeenCalledTimes(1)
    look(false)
    await pass(1)
    expect(fetchStatuses).toHaveBeenCalledTimes(3)
    stop()
  })

  test('has one request at a time', async () => {
    let respond: (found: StatusUpdateJson[]) => void = () => {}
    const fetchStatuses = vi.fn<() => Promise<StatusUpdateJson[]>>(() => new Promise((resolve) => (respond = resolve)))
    const target = new EventTarget()
    const stop = startRefresh({ fetchStatuses, onUpdate: () => {}, isHidden: () => false }, target, target)
    await pass(1)
    target.dispatchEvent(new Event('visibilitychange'))
    await pass(5)
    expect(fetchStatuses).toHaveBeenCalledTimes(1)
    respond([])
    await pass(1)
    expect(fetchStatuses).toHaveBeenCalledTimes(2)
    stop()
  })

  test('stops', async () => {
    const { fetchStatuses, look, stop } = page()
    stop()
    look(false)
    await pass(5)
    expect(fetchStatuses).not.toHaveBeenCalled()
  })
})

test('a product gets status, price, discount, note and date of the update, and stays the same object without changes', () => {
  const product: StatusUpdateJson & { product_type: string } = { ...update, status: 'in-stock', product_type: 'Cow' }
  expect(refreshed(product, update)).toEqual({ ...product, status: 'hold' })
  const reduced = { ...update, status: 'in-stock', discount: 10, discount_type: 'percentage' } as const
  expect(refreshed(product, reduced)).toEqual({ ...product, discount: 10, discount_type: 'percentage' })
  expect(refreshed({ ...product, ...reduced }, { ...reduced, discount_type: 'fixed' })).toMatchObject({ discount_type: 'fixed' })
  expect(refreshed(product, undefined)).toBe(product)
  const specified = { id: 1, status: 'sold', price: 90, note: 'gone', delivery_date: null } as const
  expect(refreshed({ ...product, ...reduced }, specified)).toMatchObject({ ...product, ...reduced, ...specified })
  expect(refreshed(product, { ...update, status: 'in-stock' })).toBe(product)
})

test('an animal shows no rate per kg that belongs to its former price', () => {
  const animal = { ...update, price: 110_000, rate_per_kg: 550 }
  expect(refreshed(animal, { ...update, price: 110_000, note: 'Seen' })).toMatchObject({ rate_per_kg: 550 })
  expect(refreshed(animal, { ...update, price: 108_000 })).toMatchObject({ price: 108_000, rate_per_kg: null })
})

test('pages with the same products have the same URL', () => {
  expect(refreshUrl([30, 4, 30, 100], 'bn')).toBe('/api/product-status-update?productIds=4,30,100&lang=bn')
})
