import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { buildProduct } from '../factories.ts'
import { db, startOfflinePos, t, till } from './offline-pos.ts'
import { plugScanner } from './scanner.ts'
import { offline, unlocked } from './pos-page.ts'

await startOfflinePos()

// A scanner that scans faster than the POS takes it: every scan is a line, or is said not to be one.

const CODES = Array.from({ length: 5 }, (_, at) => `89012345678${at}0`)
for (const [at, barcode] of CODES.entries())
  await buildProduct(db, { name_en: `Storm ${at}`, unit: 'kg', price_poisha: 10_000, stock_milli: 500_000, barcode })

declare global {
  interface Window {
    saidRefused?: number
  }
}

/** Adds up the rejected scans that the page announces. Its count starts at zero after an accepted scan. */
function countRejections(): void {
  window.saidRefused = 0
  let last = 0
  new MutationObserver(() => {
    const said = /Scanned too fast: (\d+) items? not added/.exec(document.querySelector('#quick-order')?.textContent ?? '')
    const count = Number(said?.[1] ?? 0)
    window.saidRefused! += count > last ? count - last : count < last ? count : 0
    last = count
  }).observe(document.body, { subtree: true, childList: true, characterData: true })
}

const taken = async (page: Page) => {
  const amounts = await page
    .locator('#quick-order li input')
    .evaluateAll((fields) => fields.map((field) => Number((field as HTMLInputElement).value)))
  return amounts.reduce((sum, amount) => sum + amount, 0)
}

test.each([
  { rate: 20, network: true },
  { rate: 40, network: true },
  { rate: 20, network: false },
  { rate: 40, network: false },
])('$rate scans a second, network: $network', async ({ rate, network }) => {
  const { page, context } = await till()
  if (!network) {
    await context.setOffline(true)
    await offline(page)
  }
  const scanner = await plugScanner(page)
  await page.locator('#pos-search').focus()
  await page.evaluate(countRejections)
  const seconds = 4
  const all: Promise<void>[] = []
  const begin = performance.now()
  for (let n = 0; n < rate * seconds; n++) {
    await sleep(Math.max(0, begin + (n * 1000) / rate - performance.now()))
    all.push(scanner(CODES[n % CODES.length] ?? ''))
  }
  await Promise.all(all)
  const took = (performance.now() - begin) / 1000
  await unlocked(page)
  const [lines, refused] = [await taken(page), await page.evaluate(() => window.saidRefused ?? 0)]
  console.log(`${all.length} scans in ${took.toFixed(1)} s: ${lines} taken, ${refused} refused`)
  expect(lines + refused).toBe(all.length)
  // One each half second, as specified, and not much fewer on a busy machine.
  expect(lines).toBeGreaterThanOrEqual(seconds)
  expect(await page.getByText(t('pos.barcode-not-found')).count()).toBe(0)
  expect(await page.locator('#pos-search').inputValue()).toBe('')
})
