// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { pendingToasts } from '#components/toast.tsx'
import type { BookingRow } from '#features/kurbani/booking-queries.server.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { Page, type Props } from './bookings.page.tsx'

cleanUpAfterEach()

const ROW = {
  id: 3,
  name: 'Rahima',
  phone: '01712345678',
  email: '',
  price_range: '',
  weight: '',
  state: 'new',
  note: '',
  version: 1,
  orders: [],
  created_at: '2026-11-20T07:00:00Z',
} as unknown as BookingRow

it('marked as called, the focus of the keyboard is on the button beside the one that goes', async () => {
  vi.stubGlobal('isSecureContext', false)
  stubServer({ status: 200, body: { booking: { ...ROW, state: 'called', version: 2 } } })
  const props = {
    page: { rows: [ROW], prev: null, next: null },
    places: {},
    query: {},
    savedFilters: [],
    districts: [],
  } as unknown as Props
  renderInPage(<Page {...props} />)
  const called = screen.getByRole('button', { name: /called.*Rahima|Rahima.*called/i })
  called.focus()
  await act(async () => fireEvent.click(called, { detail: 0 }))
  expect(called.isConnected).toBe(false)
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Edit.*Rahima/ }))
})

it('a note is saved with the state that was shown, which may follow from an order', async () => {
  vi.stubGlobal('isSecureContext', false)
  const row = { ...ROW, id: 4, state: 'matched', orders: [{ id: 9, status: 'placed' }] } as BookingRow
  const answer = { status: 200, body: { booking: row } }
  const sent = stubServer(answer, answer)
  const props = {
    page: { rows: [row], prev: null, next: null },
    places: {},
    query: {},
    savedFilters: [],
    districts: [],
  } as unknown as Props
  renderInPage(<Page {...props} />)
  const save = async (change: () => void) => {
    fireEvent.click(screen.getByRole('button', { name: /^Edit.*Rahima/ }))
    change()
    await act(async () => fireEvent.submit(screen.getByLabelText('Note').closest('form')!))
  }
  await save(() => fireEvent.change(screen.getByLabelText('Note'), { target: { value: 'Paid' } }))
  await save(() => fireEvent.change(screen.getByLabelText('Status', { selector: 'dialog select' }), { target: { value: 'closed' } }))
  expect(sent.map(({ body }) => body)).toEqual([
    { state: 'matched', shown_state: 'matched', note: 'Paid', version: 1 },
    { state: 'closed', shown_state: 'matched', note: '', version: 1 },
  ])
})

it('a note that a press without an answer has saved is no conflict', async () => {
  vi.stubGlobal('isSecureContext', false)
  const row = { ...ROW, id: 6 }
  stubServer(null, { status: 409, body: { message: 'Saved meanwhile.', booking: { ...row, note: 'বা\u09a1\u09bcি', version: 2 } } })
  const page = { rows: [row], prev: null, next: null }
  renderInPage(<Page {...({ page, places: {}, query: {}, savedFilters: [], districts: [] } as unknown as Props)} />)
  fireEvent.click(screen.getByRole('button', { name: /^Edit.*Rahima/ }))
  const note = screen.getByLabelText('Note')
  fireEvent.change(note, { target: { value: 'বা\u09dcি ' } })
  const save = () => act(async () => fireEvent.submit(note.closest('form')!))
  await save()
  await save()
  expect(screen.queryByRole('dialog')).toBe(null)
})

it('a pre-booking that a press without an answer has marked is no conflict', async () => {
  vi.stubGlobal('isSecureContext', false)
  stubServer(null, { status: 409, body: { message: 'Saved meanwhile.', booking: { ...ROW, id: 5, state: 'called', version: 2 } } })
  const page = { rows: [{ ...ROW, id: 5 }], prev: null, next: null }
  renderInPage(<Page {...({ page, places: {}, query: {}, savedFilters: [], districts: [] } as unknown as Props)} />)
  const mark = () => act(async () => fireEvent.click(screen.getByRole('button', { name: /called.*Rahima|Rahima.*called/i })))
  await mark()
  await mark()
  expect(pendingToasts().map(({ text }) => text)).not.toContain('Saved meanwhile.')
})
