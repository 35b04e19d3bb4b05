// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { cleanUpAfterEach, renderInPage, stubServer } from '../admin/ui/testing.tsx'
import type { QueuedSale } from './device/outbox-rules.ts'
import { newSale, type SaleShop } from './sale.ts'
import { UnsentDialog } from './unsent-sales-dialog.tsx'

const QUEUED: QueuedSale = {
  key: 'k1',
  sequence: 1,
  cashier: { id: 1, name: 'Rahim' },
  soldAt: '2026-11-20T06:00:00.000Z',
  total: 100,
  body: {},
  sale: newSale('k1'),
  state: 'rejected',
  rejection: { reason: 'shift-closed', message: 'The shift is closed' },
}
const outbox = vi.hoisted(() => ({ sales: [] as QueuedSale[], change: async () => {} }))
const toasts = vi.hoisted((): string[] => [])
vi.mock('#components/toast.tsx', async (original) => ({ ...(await original<object>()), showToast: (text: string) => toasts.push(text) }))
vi.mock('./device/outbox.ts', () => ({
  useOutbox: () => outbox.sales,
  changeInOutbox: () => outbox.change(),
  renewKeyInOutbox: () => outbox.change(),
}))

cleanUpAfterEach()

const full = async () => {
  throw new DOMException('The disk is full', 'QuotaExceededError')
}

it.each([
  { of: 'shift-closed', cashier: 1, button: 'Move to current shift' },
  { of: 'key-reused', cashier: 1, button: 'Sell as a new sale' },
  { of: 'missing', cashier: 2, button: 'Move to my shift' },
])('says that a change of a sale ($of) cannot be stored, and sends it when it is stored', async ({ of, cashier, button }) => {
  outbox.sales = [{ ...QUEUED, cashier: { id: cashier, name: 'Rahim' }, rejection: { reason: of, message: 'No' } }]
  outbox.change = full
  toasts.length = 0
  // The terms of the shop are read when the dialog opens.
  stubServer({ status: 503, body: {} })
  const onSend = vi.fn<() => void>()
  const me = { id: 1, name: 'Karim', shiftId: 3 }
  renderInPage(
    <UnsentDialog open onClose={() => {}} cashier={me} shop={{} as SaleShop} screenKey={null} onEdit={() => {}} onSend={onSend} />,
  )
  fireEvent.click(screen.getByRole('button', { name: button }))
  await vi.waitFor(() => expect(toasts).toEqual([expect.stringContaining('this device could not store it')]))
  expect(onSend).not.toHaveBeenCalled()
  outbox.change = async () => {}
  fireEvent.click(screen.getByRole('button', { name: button }))
  await vi.waitFor(() => expect(onSend).toHaveBeenCalledOnce())
})
