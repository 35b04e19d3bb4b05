// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { HeldOrder } from '#features/orders/status/held-animals.server.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { Page } from './held-animals.page.tsx'

cleanUpAfterEach()

const HELD: HeldOrder = {
  id: 1011,
  version: 2,
  name: 'Rahima',
  phone: '01712345678',
  phone_verified: false,
  tags: ['K-7'],
  since: '2026-11-20T06:00:00Z',
  until: null,
  waits_for: 'call',
  source: 'web',
  advance: 10_000,
  paid: 0,
}

it('names a customer without a name in the language of the reader', () => {
  vi.stubGlobal('isSecureContext', false)
  renderInPage(<Page orders={[{ ...HELD, name: 'কাউন্টারের ক্রেতা' }]} returned={[]} now="2026-11-20T07:00:00Z" />)
  screen.getByText('1011 · Walk-in customer')
})

it.each<[string, Partial<HeldOrder>, RegExp | null]>([
  ['an order that nobody has paid', {}, null],
  ['a reported advance', { waits_for: 'verification' }, /reported an advance/],
  ['a payment under review', { waits_for: 'review' }, /under review/],
  ['a part of the advance', { waits_for: 'advance', paid: 4000 }, /৳4,000 was paid/],
  ['a part, and a report of the rest', { waits_for: 'verification', paid: 4000 }, /৳4,000 was paid.*reported an advance/],
])('a release of %s', async (_, row, question) => {
  vi.stubGlobal('isSecureContext', false)
  const sent = stubServer({ status: 200, body: { results: [{ ok: true }] } })
  renderInPage(<Page orders={[{ ...HELD, ...row }]} returned={[]} now="2026-11-20T07:00:00Z" />)
  const asksForMoney = screen.queryByRole('button', { name: 'Remind the customer of order 1011' }) !== null
  expect(asksForMoney).toBe(row.waits_for !== 'verification' && row.waits_for !== 'review')
  const released = () => sent.filter(({ url }) => url === '/admin/orders/status').length
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Release the animals of order 1011' })))
  expect(released()).toBe(question === null ? 1 : 0)
  if (question === null) return
  screen.getByText(question)
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Release' })))
  expect(released()).toBe(1)
})
