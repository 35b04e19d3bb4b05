import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { REFRESH_MS, refreshed, refreshUrl, startRefresh } from './status-refresh.ts'
import type { StatusUpdateJson } from '../types.ts'

const update: StatusUpdateJson = { id: 1, status: 'hold', price: 100, discount: null, discount_type: null, note: '', delivery_date: null }

function page(answers: (StatusUpdateJson[] | null | Error)[] = []) {
  const target = new EventTarget()
  const view = new EventTarget()
  let hidden = false
  const fetchStatuses = vi.fn<() => Promise<StatusUpdateJson[] | null>>(async () => {
    const answer = answers.length > 0 ? (answers.shift() ?? null) : [update]
    if (answer instanceof Error) throw answer
    return answer
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

describe('the refresh of what is shown', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const pass = (turns: number) => vi.advanceTimersByTimeAsync(turns * REFRESH_MS)

  test('asks every 10 seconds, not at once', async () => {
    const { fetchStatuses, onUpdate, stop } = page()
    expect(fetchStatuses).not.toHaveBeenCalled()
    await pass(3)
    expect(fetchStatuses).toHaveBeenCalledTimes(3)
    expect(onUpdate).toHaveBeenLastCalledWith([update])
    stop()
  })

  test('pauses while nobody looks, and asks at once when somebody does again', async () => {
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

  test('goes on after a failure, and tells nothing of it', async () => {
    const { fetchStatuses, onUpdate, stop } = page([new Error('offline'), null])
    await pass(2)
    expect(onUpdate).not.toHaveBeenCalled()
    await pass(1)
    expect(fetchStatuses).toHaveBeenCalledTimes(3)
    expect(onUpdate).toHaveBeenCalledOnce()
    stop()
  })

  test('goes on after an update that fails', async () => {
    const complaint = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { fetchStatuses, onUpdate, stop } = page()
    onUpdate.mockImplementationOnce(() => {
      throw new RangeError('not a whole number')
    })
    await pass(2)
    expect(fetchStatuses).toHaveBeenCalledTimes(2)
    expect(onUpdate).toHaveBeenCalledTimes(2)
    expect(complaint).toHaveBeenCalledOnce()
    complaint.mockRestore()
    stop()
  })

  test('goes on, and at once, when the page is back from the back/forward cache', async () => {
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

  test('goes on when the page is hidden while it asks', async () => {
    let answer: (found: StatusUpdateJson[]) => void = () => {}
    const { fetchStatuses, look, stop } = page()
    fetchStatuses.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)))
    await pass(1)
    look(true)
    answer([])
    await pass(3)
    expect(fetchStatuses).toHaveBeenCalledTimes(1)
    look(false)
    await pass(1)
    expect(fetchStatuses).toHaveBeenCalledTimes(3)
    stop()
  })

  test('never asks twice at a time', async () => {
    let answer: (found: StatusUpdateJson[]) => void = () => {}
    const fetchStatuses = vi.fn<() => Promise<StatusUpdateJson[]>>(() => new Promise((resolve) => (answer = resolve)))
    const target = new EventTarget()
    const stop = startRefresh({ fetchStatuses, onUpdate: () => {}, isHidden: () => false }, target, target)
    await pass(1)
    target.dispatchEvent(new Event('visibilitychange'))
    await pass(5)
    expect(fetchStatuses).toHaveBeenCalledTimes(1)
    answer([])
    await pass(1)
    expect(fetchStatuses).toHaveBeenCalledTimes(2)
    stop()
  })

  test('stops for good', async () => {
    const { fetchStatuses, look, stop } = page()
    stop()
    look(false)
    await pass(5)
    expect(fetchStatuses).not.toHaveBeenCalled()
  })
})

test('a product takes status, price, discount, note and date of the update, and stays the same object when nothing is new', () => {
  const product: StatusUpdateJson & { product_type: string } = { ...update, status: 'in-stock', product_type: 'Cow' }
  expect(refreshed(product, update)).toEqual({ ...product, status: 'hold' })
  const reduced = { ...update, status: 'in-stock', discount: 10, discount_type: 'percentage' } as const
  expect(refreshed(product, reduced)).toEqual({ ...product, discount: 10, discount_type: 'percentage' })
  expect(refreshed({ ...product, ...reduced }, { ...reduced, discount_type: 'fixed' })).toMatchObject({ discount_type: 'fixed' })
  expect(refreshed(product, undefined)).toBe(product)
  const specified = { id: 1, status: 'sold', price: 90, note: 'gone', delivery_date: null } as const
  expect(refreshed({ ...product, ...reduced }, specified)).toEqual({ ...product, ...reduced, ...specified })
  expect(refreshed(product, { ...update, status: 'in-stock' })).toBe(product)
})

test('everybody who sees the same products asks the same', () => {
  expect(refreshUrl([30, 4, 30, 100], 'bn')).toBe('/api/product-status-update?productIds=4,30,100&lang=bn')
})
