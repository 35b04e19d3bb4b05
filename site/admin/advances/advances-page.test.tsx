// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { WaitingAdvance } from '#features/orders/advances/waiting-advances.server.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { Page } from './advances.page.tsx'

cleanUpAfterEach()

const ADVANCE = {
  id: 3,
  order_id: 15,
  name: 'Rahima',
  method: 'bkash',
  transaction_id: 'BKX1234567',
  sender: '01712345678',
  amount: 1000,
  advance: 1000,
  total: 1000,
  paid: 0,
  tags: [],
  goods: 'Honey',
  status: 'placed',
  expires_at: null,
  at: '2026-11-20T07:00:00Z',
  others: [],
  used_by: null,
} as unknown as WaitingAdvance

it.each<[what: string, body: object, isListed: boolean]>([
  ['that another person has decided leaves the list', { message: 'Verified already.', order: { id: 15 } }, false],
  ['whose transaction ID is used still waits', { message: 'The transaction ID was used.' }, true],
])('an advance %s', async (_what, body, isListed) => {
  vi.stubGlobal('isSecureContext', false)
  stubServer({ status: 409, body })
  renderInPage(<Page advances={[ADVANCE]} />)
  await act(async () => fireEvent.click(screen.getByRole('button', { name: /^Verify/ })))
  expect(screen.queryByText('BKX1234567') !== null).toBe(isListed)
})

it('an advance of another amount than stated is verified with it; more than is due is confirmed, and a lost answer loses nothing', async () => {
  vi.stubGlobal('isSecureContext', false)
  const sent = stubServer(
    null,
    { status: 409, body: { message: 'No', errors: { amount: ['This is more than the amount due.'] } } },
    { status: 200, body: { order: { id: 15 }, late: false, refused: [] } },
  )
  renderInPage(<Page advances={[ADVANCE]} />)
  fireEvent.click(screen.getByRole('button', { name: /^Other amount/ }))
  const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: /^Amount/ })
  fireEvent.change(field(), { target: { value: '1,200' } })
  const save = () => act(async () => fireEvent.submit(field().closest('form')!))
  await save()
  expect(field().value).toBe('1,200')
  await save()
  screen.getByText('This is more than the amount due.')
  await save()
  expect(sent.map(({ url, body }) => [url, body])).toEqual(
    [false, false, true].map((confirmed) => ['/admin/advances/verify/3', { amount: '1,200', confirmed }]),
  )
  expect([screen.queryByText('BKX1234567'), screen.queryByRole('dialog')]).toEqual([null, null])
})
