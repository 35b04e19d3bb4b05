// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { Page } from './rate.page.tsx'

cleanUpAfterEach()

const PREVIEW = { changes: [], total: 3, without_tier: 0, below_discount: [], booked: 0, planHash: 'plan' }

it('waits for the prices of many animals as long as the server works on them', async () => {
  vi.stubGlobal('isSecureContext', false)
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {})
  const late = (signal: AbortSignal) =>
    new Promise<Response>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')))
      setTimeout(() => resolve(Response.json({ changed: 3 })), 20_000)
    })
  vi.stubGlobal('fetch', (url: string, { signal }: { signal: AbortSignal }) =>
    url === '/admin/rates/apply' ? late(signal) : Promise.resolve(Response.json(PREVIEW)),
  )
  const table = { category_id: 2, season: 'kurbani', tiers: [{ from_kg: '200', per_kg: '560' }] }
  renderInPage(<Page categories={[{ id: 2, name: 'Kurbani Cow', season: 'kurbani' }]} table={table} ratesHash="rates" />)
  await act(async () => fireEvent.submit(screen.getByDisplayValue('560').closest('form')!))
  // No animal is booked, so nothing is said of booked animals.
  expect(screen.queryByText(/Booked animals/)).toBeNull()
  vi.useFakeTimers()
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Apply rates and prices' })))
  await act(() => vi.advanceTimersByTimeAsync(20_000))
  vi.useRealTimers()
  expect(assign).toHaveBeenCalledWith('/admin/rates')
})

it.each([
  ['was lost', null],
  ['is one of a proxy', { status: 504, body: null }],
])('rates whose answer %s are sent again with the same preview', async (_name, answer) => {
  vi.stubGlobal('isSecureContext', false)
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {})
  const sent = stubServer({ status: 200, body: PREVIEW }, answer, { status: 200, body: { changed: 3 } })
  const table = { category_id: 2, season: 'kurbani', tiers: [{ from_kg: '200', per_kg: '560' }] }
  renderInPage(<Page categories={[{ id: 2, name: 'Kurbani Cow', season: 'kurbani' }]} table={table} ratesHash="rates" />)
  await act(async () => fireEvent.submit(screen.getByDisplayValue('560').closest('form')!))
  const apply = async () => {
    const button = screen.getByRole('button', { name: 'Apply rates and prices' })
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe(null))
    await act(async () => fireEvent.click(button))
  }
  await apply()
  await apply()
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/admin/rates'))
  const applied = sent.filter(({ url }) => url === '/admin/rates/apply').map(({ body }) => body)
  expect(applied).toEqual([{ ...table, ratesHash: 'rates', planHash: 'plan' }, applied[0]])
})

it('typed rates stay unsaved until they are applied', async () => {
  vi.stubGlobal('isSecureContext', false)
  const mayLeave = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const left: boolean[] = []
  vi.spyOn(location, 'assign').mockImplementation(() => void left.push(mayLeave()))
  stubServer({ status: 200, body: PREVIEW }, { status: 200, body: { changed: 3 } })
  const table = { category_id: 2, season: 'kurbani', tiers: [{ from_kg: '200', per_kg: '560' }] }
  renderInPage(<Page categories={[{ id: 2, name: 'Kurbani Cow', season: 'kurbani' }]} table={table} ratesHash="rates" />)
  const rate = screen.getByDisplayValue('560')
  await act(async () => fireEvent.change(rate, { target: { value: '580' } }))
  await act(async () => fireEvent.submit(rate.closest('form')!))
  const button = await screen.findByRole('button', { name: 'Apply rates and prices' })
  const draft = () => sessionStorage.getItem('draft:1:rates-2-kurbani')
  expect(mayLeave()).toBe(false)
  expect(draft()).toContain('580')
  await act(async () => fireEvent.click(button))
  await waitFor(() => expect(left).toEqual([true]))
  expect(draft()).toBe(null)
})
