// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
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
