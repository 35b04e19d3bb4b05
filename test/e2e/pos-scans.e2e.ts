import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { LOOKUP_TIMEOUT } from '#features/pos/rules.ts'
import { buildProduct } from '../factories.ts'
import { newPhone } from './new-phone.ts'
import { allIsWell, CODE, db, enter, sold, startOfflinePos, STORE, t, openOfflinePos } from './offline-pos.ts'
import { lastOrder, place, quantity, scan, unlocked } from './pos-page.ts'
import { plugTimedKeys } from './scanner.ts'

await startOfflinePos()

// No scan is lost without a message: late keys, a slow search, and an order that is being placed.

const lines = (page: Page) => page.locator('#quick-order [data-lines] li').count()

/** A barcode of its own for each try of a test. */
const newBarcode = () => `89${randomInt(1e10, 1e11)}`

/** A product that only the server knows. Create it right before the scan: a device on a busy machine loads the catalog again. */
const newProduct = (barcode: string) => buildProduct(db, { name_en: `New ${barcode}`, price_poisha: 10_000, stock_milli: 500_000, barcode })

/** Searches wait for their answer however slowly the test goes on. */
const removeSearchLimit = (page: Page) =>
  page.evaluate((limit) => {
    const { setTimeout: start } = window
    Object.assign(window, { setTimeout: (run: () => void, ms?: number) => (ms === limit ? 0 : start(run, ms)) })
  }, LOOKUP_TIMEOUT)

/** The scripts of the page come from the network from now on. */
const removeWorker = (page: Page) =>
  page.evaluate(async () => {
    for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister()
  })

test('a scan that begins while the box is locked, and ends late, is rejected whole and counted', async () => {
  const { page } = await openOfflinePos()
  await page.locator('#pos-search').focus()
  const press = await plugTimedKeys(page)
  // The first scan locks the box for half a second.
  await press(`${CODE}\r`, 0)
  await press('89000000', 400)
  await quantity(page).waitFor()
  await unlocked(page)
  await press('00017\r', 1000)
  await page.getByText(t('pos.too-quick', { count: '1' })).waitFor()
  expect(await page.locator('#pos-search').inputValue()).toBe('')
  expect(await quantity(page).inputValue()).toBe('1')
  expect(await page.getByText(t('pos.barcode-not-found')).count()).toBe(0)
  await allIsWell()
})

test('what a slow search adds stays when the next scan runs into another field', async () => {
  const { page, context } = await openOfflinePos()
  const barcode = newBarcode()
  await newProduct(barcode)
  const release = Promise.withResolvers<void>()
  await context.route('**/api/product/search*', async (route) => {
    await release.promise
    await route.continue()
  })
  await removeSearchLimit(page)
  await page.locator('#pos-search').focus()
  await scan(page, barcode)
  await unlocked(page)
  await page.locator('#pos-phone').focus()
  const press = await plugTimedKeys(page)
  await press(CODE.slice(0, 7), 0)
  release.resolve()
  // The search ends within the scan.
  await expect.poll(() => lines(page)).toBe(1)
  await press(`${CODE.slice(7)}\r`, 40)
  await expect.poll(() => lines(page)).toBe(2)
  expect(await page.locator('#pos-phone').inputValue()).toBe('')
})

test('a scan into another field is one scan, also where the scanner pauses in it', async () => {
  const { page } = await openOfflinePos()
  await page.fill('#pos-phone', '017')
  const press = await plugTimedKeys(page)
  await press(CODE.slice(0, 5), 0)
  await press(`${CODE.slice(5)}\r`, 400)
  await expect.poll(() => lines(page)).toBe(1)
  expect(await page.inputValue('#pos-phone')).toBe('017')
})

test('a scan while the order is placed is rejected with a message, and the order holds what it held', async () => {
  const { page, context } = await openOfflinePos()
  const phone = newPhone()
  const release = Promise.withResolvers<void>()
  await context.route(STORE, async (route) => {
    await release.promise
    await route.continue()
  })
  await enter(page, phone)
  await unlocked(page)
  await place(page)
  await page.locator('#pos-search').focus()
  await scan(page, CODE)
  await page.getByText(t('pos.placing')).first().waitFor()
  expect(await quantity(page).inputValue()).toBe('1')
  release.resolve()
  await lastOrder(page)
  expect(await sold(phone)).toMatchObject([{ total: 10_000, lines: 1 }])
  await allIsWell()
})

test('a sale is not placed while a scanned code is looked up, and what is found after it left is announced', async () => {
  const { page, context } = await openOfflinePos()
  const [barcode, phone] = [newBarcode(), newPhone()]
  const release = Promise.withResolvers<void>()
  await context.route('**/api/product/search*', async (route) => {
    await release.promise
    await route.continue()
  })
  await enter(page, phone)
  await unlocked(page)
  await page.locator('#pos-search').focus()
  const { name_en } = await newProduct(barcode)
  await removeSearchLimit(page)
  await scan(page, barcode)
  await place(page)
  await page.getByText(t('pos.looking-up')).waitFor()
  // Another sale is on the screen when the answer comes.
  await page.getByRole('button', { name: t('pos.clear') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('pos.clear') })
    .click()
  await expect.poll(() => lines(page)).toBe(0)
  release.resolve()
  await page.getByText(t('pos.found-late', { name: name_en })).waitFor()
  expect(await lines(page)).toBe(0)
  expect(await sold(phone)).toEqual([])
})

test('typing ends the choice of an entry: Enter takes the scanned code', async () => {
  const { page } = await openOfflinePos()
  const box = page.locator('#pos-search')
  await box.fill('hone')
  await page.getByRole('option').first().waitFor()
  await box.press('ArrowDown')
  await box.press('ControlOrMeta+A')
  const other = newBarcode()
  const { name_en } = await newProduct(other)
  await scan(page, other)
  await page.locator('#quick-order [data-lines] li', { hasText: name_en }).waitFor()
  expect(await lines(page)).toBe(1)
})

test('scans before the page has woken are lines, or are announced, and one that is under way stays whole', async () => {
  const { page, context } = await openOfflinePos()
  await removeWorker(page)
  const held: Route[] = []
  let isHeld = true
  await context.route('**/assets/*.js', (route) => (isHeld ? void held.push(route) : route.continue()))
  await page.goto(page.url(), { waitUntil: 'domcontentloaded' })
  expect(await page.evaluate(() => window.pageAwake)).toBeUndefined()
  const press = await plugTimedKeys(page)
  await press(`${CODE}\r`, 0)
  await press(`${CODE}\r${CODE}\r`, 600)
  await press(CODE.slice(0, 6), 900)
  // The keys after it are pressed now.
  await sleep(1000)
  isHeld = false
  for (const route of held) await route.continue()
  await page.waitForFunction(() => window.pageAwake)
  // A failure tells what the page shows instead of the line.
  await expect.poll(() => page.locator('#quick-order').innerText()).toContain(CODE)
  await expect.poll(() => quantity(page).inputValue()).toBe('2')
  await page.getByText(t('pos.too-quick', { count: '1' })).waitFor()
  await page.keyboard.type(CODE.slice(6))
  await page.keyboard.press('Enter')
  await expect.poll(() => quantity(page).inputValue()).toBe('3')
  expect(await page.locator('#pos-search').inputValue()).toBe('')
})

test('scans before a page is loaded again, by the cashier or after a missing script, are lines of the next one', async () => {
  const { page, context } = await openOfflinePos()
  await removeWorker(page)
  let scripts: 'held' | 'missing' | 'sent' = 'held'
  const held: Route[] = []
  await context.route('**/assets/*.js', (route) => {
    if (scripts === 'held') held.push(route)
    else if (scripts === 'missing') return route.abort()
    else return route.continue()
  })
  await page.goto(page.url(), { waitUntil: 'domcontentloaded' })
  const press = await plugTimedKeys(page)
  await press(`${CODE}\r`, 0)
  await page.waitForFunction(() => window.earlyScans?.length === 1)
  await page.reload({ waitUntil: 'domcontentloaded' })
  const pressAgain = await plugTimedKeys(page)
  // After the lock of the first scan, however quickly the page has come.
  await pressAgain(`${CODE}\r`, 700)
  await page.waitForFunction(() => window.earlyScans?.length === 2)
  scripts = 'missing'
  await Promise.all(held.map((route) => route.abort().catch(() => null)))
  // The page is loaded again by itself, three seconds later.
  await page.waitForFunction(() => document.documentElement.dataset.scripts === undefined || window.name !== '')
  scripts = 'sent'
  await expect.poll(() => quantity(page).inputValue()).toBe('2')
})

test('a scan right after a sale is the first line of the next one', async () => {
  const { page } = await openOfflinePos()
  const [first, second] = [newPhone(), newPhone()]
  await enter(page, first)
  await unlocked(page)
  await place(page)
  const id = await lastOrder(page)
  await scan(page, CODE)
  await quantity(page).waitFor()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('pos-search')
  await page.fill('#pos-phone', second)
  await place(page)
  await expect.poll(async () => (await sold(second)).length).toBe(1)
  expect(await lastOrder(page)).not.toBe(id)
  expect(await sold(first)).toMatchObject([{ id: Number(id), lines: 1 }])
  await allIsWell()
})

test('a scan in a dialog is announced and undone: it names, resumes and confirms nothing', async () => {
  const { page } = await openOfflinePos()
  await enter(page, newPhone())
  const dialog = page.getByRole('dialog')
  const blocked = async () => {
    await scan(page, CODE)
    await page.getByText(t('pos.scan-blocked')).first().waitFor()
    await dialog.waitFor()
  }
  await page.keyboard.press('F7')
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'name')
  await page.keyboard.insertText('red shirt')
  await blocked()
  expect(await dialog.locator('[name=name]').inputValue()).toBe('red shirt')
  await page.keyboard.press('Enter')
  await expect.poll(() => lines(page)).toBe(0)
  // The code has the digit 1, which resumes the first sale when it is pressed alone.
  await page.keyboard.press('F8')
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('red shirt'))
  await blocked()
  await sleep(300)
  expect(await lines(page)).toBe(0)
  await page.keyboard.press('1')
  await expect.poll(() => lines(page)).toBe(1)
  await page.getByRole('button', { name: t('pos.clear') }).click()
  await blocked()
  await dialog.getByRole('button', { name: t('pos.clear') }).click()
  await expect.poll(() => lines(page)).toBe(0)
})

test('a scan while a choice has the focus is a line, and the choice stays', async () => {
  const { page } = await openOfflinePos()
  await enter(page, newPhone())
  await unlocked(page)
  await page.getByRole('checkbox', { name: t('pos.deliver') }).check()
  const area = page.locator('#quick-order select').first()
  await area.focus()
  const before = await area.inputValue()
  const press = await plugTimedKeys(page)
  await press(`${CODE}\r`, 0)
  await expect.poll(() => quantity(page).inputValue()).toBe('2')
  expect(await area.inputValue()).toBe(before)
})
