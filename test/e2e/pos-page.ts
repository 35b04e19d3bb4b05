import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { plugTimedKeys } from './scanner.ts'
import { go } from './sign-in.ts'
import { PAGE_CACHE, POS_DATABASE } from '#features/pos/storage-names.ts'

// Actions of a cashier at the POS, for browser tests.

/** Opens the cashier's shift and waits until the POS is hydrated. */
export async function openPos(page: Page, openingCash = '0'): Promise<void> {
  await go(page, '/admin/quick-orders')
  if (await page.locator('[name=opening_cash]').count()) {
    await page.fill('[name=opening_cash]', openingCash)
    await page.keyboard.press('Enter')
  }
  await ready(page)
}

export async function ready(page: Page): Promise<void> {
  await page.locator('#quick-order #pos-search').waitFor()
  await page.waitForFunction(() => window.pageAwake)
}

/** Waits until the device has the products and the worker has the page. */
export async function settled(page: Page): Promise<void> {
  // A load that fails on a busy machine is repeated a minute later.
  await expect.poll(() => page.evaluate(listMissing, [POS_DATABASE, PAGE_CACHE] as const), { timeout: 150_000 }).toEqual([])
}

/** What the device still lacks to sell without network. Runs in the page. */
async function listMissing([database, pageCache]: readonly [string, string]): Promise<string[]> {
  const names = await indexedDB.databases()
  if (!names.some(({ name }) => name === database)) return ['database']
  const hasCatalog = await new Promise<boolean>((resolve) => {
    const open = indexedDB.open(database)
    open.addEventListener('error', () => resolve(false))
    open.addEventListener('success', () => {
      const asked = open.result.transaction('about').objectStore('about').get('catalog')
      asked.addEventListener('success', () => {
        open.result.close()
        resolve(asked.result !== undefined)
      })
    })
  })
  const registration = await navigator.serviceWorker.getRegistration()
  const pages = await (await caches.open(pageCache)).keys()
  const states = [registration?.installing, registration?.waiting, registration?.active].map((worker) => worker?.state ?? 'none')
  return [
    ...(hasCatalog ? [] : ['catalog']),
    ...(navigator.serviceWorker.controller === null ? [`worker (${states.join(', ')})`] : []),
    ...(pages.length > 0 ? [] : [`page (${(await caches.keys()).join(', ')})`]),
  ]
}

/** Whether the worker's page of a cashier is on the device. */
export const hasCachedPage = (page: Page) => page.evaluate((name) => caches.has(name), PAGE_CACHE)

/** A scanner: keys in a row, and Enter, whose events say so on a busy machine, too. */
export async function scan(page: Page, code: string): Promise<void> {
  const press = await plugTimedKeys(page)
  await press(`${code}\r`, 0)
}

/** The quantity of the first line. */
export const quantity = (page: Page) => page.locator('#quick-order li input').first()
export const place = (page: Page) => page.keyboard.press('F9')
/** Waits until the sale is recorded and the screen is free for the next one. Returns its order id. */
export async function lastOrder(page: Page): Promise<string> {
  const panel = page.locator('[data-last-sale]:not([data-last-sale^=U])')
  await panel.waitFor()
  return (await panel.getAttribute('data-last-sale')) ?? ''
}
export const unlocked = (page: Page) => page.locator('#pos-search:not([readonly])').waitFor()
export const unsent = (page: Page, count: number) => page.locator(`[data-unsent="${count}"]`).waitFor()
export const online = (page: Page) => page.locator('[data-pos-state=online]').waitFor()
export const offline = (page: Page) => page.locator('[data-pos-state=offline]').waitFor()
export async function nothingWaits(page: Page): Promise<void> {
  await expect.poll(() => page.locator('[data-unsent]:not([data-unsent="0"])').count()).toBe(0)
}
