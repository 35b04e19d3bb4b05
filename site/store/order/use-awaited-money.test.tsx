// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import type { PaymentStatusJson } from '#features/orders/printing/invoice-rules.ts'
import type { OrderJson } from '#features/orders/types.ts'
import { cleanUpAfterEach, stubServer } from '../../admin/ui/testing.tsx'
import { useAwaitedMoney } from './use-awaited-money.ts'

cleanUpAfterEach()
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers().restoreAllMocks())

const order = {
  id: 7,
  status: 'placed',
  paid: 0,
  due: 830,
  payable: 100,
  payment_type: 'partial',
  payment_gateway: 'NONE',
  attempt: null,
  advances: [{ state: 'waiting' }],
} as unknown as OrderJson

const answer = (change: Partial<PaymentStatusJson>) => ({
  status: 200,
  body: { order_status: 'placed', payment: 'none', paid_amount: 0, waiting_advances: 1, ...change },
})
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const reload = () => vi.spyOn(location, 'reload').mockImplementation(() => {})

it.each([
  ['verified', { payment: 'paid', paid_amount: 100, waiting_advances: 0 } as const],
  ['rejected', { waiting_advances: 0 }],
])('an advance that is %s shows on the open page', async (_what, change) => {
  const sent = stubServer(answer({}), answer(change))
  const reloaded = reload()
  renderHook(() => useAwaitedMoney(order, '?key=a%2Fb'))
  await pass(4000)
  expect([sent.map(({ url }) => url), reloaded.mock.calls.length]).toEqual([['/payments/status?key=a%2Fb&order=7'], 0])
  await pass(4000)
  expect([sent.length, reloaded.mock.calls.length]).toEqual([2, 1])
})

it('a report that is being typed is not deleted by a reload', async () => {
  const sent = stubServer(answer({ waiting_advances: 0 }))
  const reloaded = reload()
  const field = document.body.appendChild(document.createElement('input'))
  onTestFinished(() => field.remove())
  field.focus()
  renderHook(() => useAwaitedMoney(order, ''))
  await pass(9000)
  expect([sent.length, reloaded.mock.calls.length]).toEqual([0, 0])
  field.blur()
  await pass(4000)
  expect([sent.length, reloaded.mock.calls.length]).toEqual([1, 1])
})

it('polls no page that awaits nothing, slower after a minute, and not after it closed', async () => {
  const sent = stubServer(...Array.from({ length: 30 }, () => answer({})))
  const { rerender, unmount } = renderHook(({ shown }) => useAwaitedMoney(shown, ''), {
    initialProps: { shown: { ...order, advances: [] } },
  })
  await pass(60_000)
  expect(sent).toEqual([])
  rerender({ shown: order as never })
  await pass(60_000)
  const fast = sent.length
  await pass(60_000)
  const slow = sent.length - fast
  expect([fast, slow]).toEqual([15, 4])
  unmount()
  await pass(60_000)
  expect(sent).toHaveLength(fast + slow)
})

it('only a failing network or server is called offline; the page of an order that the browser may no longer see is loaded again', async () => {
  const refused = (status: number) => ({ status, body: { message: '' } })
  const sent = stubServer(null, refused(429), refused(503), answer({}), refused(404), answer({}))
  const reloaded = reload()
  const { result } = renderHook(() => useAwaitedMoney(order, ''))
  const seen: boolean[] = []
  for (let at = 0; at < 5; at += 1) {
    await pass(4000)
    seen.push(result.current.isOffline)
  }
  expect([seen, reloaded.mock.calls.length]).toEqual([[true, false, true, false, false], 1])
  await pass(60_000)
  expect(sent).toHaveLength(5)
})
