// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AppRoot } from '#page/page-context.tsx'
import { readSession, writeSession } from '#page/session-notes.ts'
import { cleanUpAfterEach, PAGE } from '../../admin/ui/testing.tsx'
import { QUICKEST_MS } from '#features/kurbani/rules.ts'
import { NO_BOOKING, useBooking } from './use-booking.ts'

cleanUpAfterEach()
beforeEach(() => {
  vi.useFakeTimers()
  writeSession('kurbaniBooking', null)
})
afterEach(() => void vi.useRealTimers())

const wrapper = ({ children }: { children: ReactNode }) => <AppRoot shell={PAGE}>{children}</AppRoot>
const TYPED = { name: 'Karim', phone: '01711000009', price: '1 lakh' }

/** A form with a booking that is on its way; `end` answers it. */
async function sending() {
  let end: (answer: Response) => void = () => {}
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (end = resolve)))
  const { result } = renderHook(() => useBooking(), { wrapper })
  act(() => result.current.change(TYPED))
  let sent: Promise<void> | undefined
  act(() => void (sent = result.current.submit('')))
  await act(() => vi.advanceTimersByTimeAsync(QUICKEST_MS + 100))
  return { result, end: () => act(async () => (end(Response.json({})), sent)) }
}

it('a booking that was sent leaves the form empty', async () => {
  const { result, end } = await sending()
  await end()
  expect([result.current.booking, result.current.sendState, readSession('kurbaniBooking')]).toEqual([
    NO_BOOKING,
    { state: 'success' },
    null,
  ])
})

it('what is typed while it is being sent stays', async () => {
  const { result, end } = await sending()
  act(() => result.current.change({ phone: '01711000010' }))
  await end()
  const edited = { ...NO_BOOKING, ...TYPED, phone: '01711000010' }
  expect([result.current.booking, result.current.sendState, readSession('kurbaniBooking')]).toEqual([edited, { state: 'success' }, edited])
})
