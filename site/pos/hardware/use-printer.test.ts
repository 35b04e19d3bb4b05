// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { NO_DEVICES } from './device-settings.ts'
import { printReceipt } from './use-printer.ts'

const printed: string[] = []
vi.mock('./device-settings.ts', async (original) => ({
  ...(await original<typeof import('./device-settings.ts')>()),
  deviceSettings: () => ({ ...NO_DEVICES, printer: { ...NO_DEVICES.printer, kind: 'serial' } }),
}))
vi.mock('./printer-port.ts', () => ({ sendToPrinter: async () => null }))
vi.mock('./receipt-drawing.ts', () => ({
  drawReceipt: (receipt: HTMLElement) => {
    printed.push(String(receipt.textContent))
    return []
  },
}))
Object.defineProperty(document, 'fonts', { configurable: true, value: { ready: Promise.resolve() } })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it.each<[string, () => Promise<void>, number]>([
  ['loads', () => Promise.resolve(), 0],
  ['cannot be loaded', () => Promise.reject(new Error('no network')), 0],
  ['stalls', () => new Promise(() => {}), 3000],
])('a receipt is printed when its logo %s', async (_what, decode, waitMs) => {
  printed.length = 0
  const receipt = document.createElement('section')
  receipt.append('Total 500')
  receipt.append(Object.assign(document.createElement('img'), { decode }))
  let problem: unknown = 'none yet'
  void printReceipt(receipt, true).then((result) => (problem = result))
  await vi.advanceTimersByTimeAsync(waitMs)
  expect(printed).toEqual(['Total 500'])
  expect(problem).toBe(null)
})
