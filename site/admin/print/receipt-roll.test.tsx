// @vitest-environment happy-dom
import { act } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { changeDevices, NO_DEVICES } from '../../pos/hardware/device-settings.ts'
import { cleanUpAfterEach, renderInPage } from '../ui/testing.tsx'
import { ReceiptRoll } from './receipt-roll.tsx'

cleanUpAfterEach()
beforeEach(() => {
  changeDevices(NO_DEVICES)
  Object.defineProperty(document, 'fonts', { configurable: true, value: { ready: Promise.resolve() } })
})

const replaceSync = vi.spyOn(CSSStyleSheet.prototype, 'replaceSync')
const page = () => replaceSync.mock.lastCall?.[0]
const roll = () => document.querySelector<HTMLElement>('[data-receipt]')!.dataset.receipt

it('the page of the browser has the width of the roll of this counter', () => {
  renderInPage(<ReceiptRoll>Receipt</ReceiptRoll>)
  expect([roll(), page()]).toEqual(['80', expect.stringContaining('size: 80mm ')])
  act(() => changeDevices({ printer: { dots: 384 } }))
  expect([roll(), page()]).toEqual(['58', expect.stringContaining('size: 58mm ')])
  expect(document.adoptedStyleSheets).toHaveLength(1)
})

it('is shown where scripts cannot make style sheets, as before Safari 16.4', () => {
  let owner = document as object
  while (!Object.hasOwn(owner, 'adoptedStyleSheets')) owner = Object.getPrototypeOf(owner)
  const own = Object.getOwnPropertyDescriptor(owner, 'adoptedStyleSheets')!
  Reflect.deleteProperty(owner, 'adoptedStyleSheets')
  try {
    renderInPage(<ReceiptRoll>Receipt</ReceiptRoll>)
    expect(document.querySelector('[data-receipt]')?.textContent).toBe('Receipt')
  } finally {
    Object.defineProperty(owner, 'adoptedStyleSheets', own)
  }
})
