// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest'
import { cleanUpAfterEach, renderInPage } from '../ui/testing.tsx'
import { ReceiptPreview } from './receipt-preview.tsx'

const print = vi.hoisted(() => vi.fn<(options: object) => void>())
vi.mock('../../pos/hardware/use-printer.ts', () => ({ useReceiptPrinter: () => ({ print, problem: null }) }))

cleanUpAfterEach()
beforeEach(() => {
  print.mockClear()
  Object.defineProperty(document, 'fonts', { configurable: true, value: { ready: Promise.resolve() } })
  history.replaceState(null, '', '/admin/quick-orders/account-receipts/7?lang=bn&print=1')
})

it('the receipt of cash that was just received opens the drawer once: a reload neither prints nor opens it', async () => {
  renderInPage(
    <ReceiptPreview printsImmediately opensDrawer>
      <p />
    </ReceiptPreview>,
  )
  await expect.poll(() => print.mock.calls).toEqual([[{ isCashSale: true }]])
  expect(location.search).toBe('?lang=bn')
})

it('another receipt opens no drawer and keeps its address', async () => {
  renderInPage(
    <ReceiptPreview printsImmediately>
      <p />
    </ReceiptPreview>,
  )
  await expect.poll(() => print.mock.calls).toEqual([[{ isCashSale: false }]])
  expect(location.search).toBe('?lang=bn&print=1')
})
