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
