// @vitest-environment happy-dom
import { act, cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { closeToast, pendingToasts, showToast, ToastRegion } from './toast.tsx'

beforeEach(() => {
  for (const { id } of pendingToasts()) closeToast(id)
})
afterEach(() => {
  vi.useRealTimers()
  cleanup()
})

const texts = (region: HTMLElement) => [...region.querySelectorAll('.rise')].map((toast) => toast.textContent)

it('a message that is shown again takes the place of the first, as the newest', () => {
  const { getByRole } = render(<ToastRegion closeLabel="Close" />)
  act(() => {
    showToast('Saved')
    showToast('Tag added')
    showToast('Saved')
  })
  expect(texts(getByRole('status'))).toEqual(['Tag added', 'Saved'])
})

it('only link and button of a message take a press', () => {
  const { getByRole } = render(<ToastRegion closeLabel="Close" />)
  act(() => showToast('New order', { kind: 'news', href: '/admin/orders' }))
  const takes = (element: Element) => element.classList.contains('pointer-events-auto')
  const region = getByRole('status')
  expect(region.classList.contains('pointer-events-none')).toBe(true)
  expect([...region.querySelectorAll('*')].filter(takes).map(({ tagName }) => tagName)).toEqual(['A', 'BUTTON'])
})

it('a message with a link stays longer, and each as long as the focus is in it', () => {
  vi.useFakeTimers()
  const { getByRole } = render(<ToastRegion closeLabel="Close" />)
  const after = (seconds: number) => act(() => vi.advanceTimersByTime(seconds * 1000))
  act(() => {
    showToast('Saved')
    showToast('New order', { href: '/admin/orders' })
  })
  after(6)
  expect(texts(getByRole('status'))).toEqual(['New order'])
  getByRole('link').focus()
  after(60)
  expect(texts(getByRole('status'))).toEqual(['New order'])
  getByRole('link').blur()
  after(20)
  expect(texts(getByRole('status'))).toEqual([])
})
