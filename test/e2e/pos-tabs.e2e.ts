import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { complaints } from './axe.ts'
import { newPhone } from './new-phone.ts'
import { allIsWell, cashier, CODE, db, enter, shop, sold, startOfflinePos, STORE, storedReceipt, t, openOfflinePos } from './offline-pos.ts'
import { lastOrder, nothingWaits, openPos, place, quantity, ready, scan, unlocked, unsent } from './pos-page.ts'
import { go } from './sign-in.ts'
import { SALE_KEY, SYNC_TAG } from '#features/pos/storage-names.ts'

await startOfflinePos()

// Tabs that are duplicated, closed or crash, keys that are in use, and a device without space: each paid sale arrives once.

/** A copy of the tab, as "Duplicate" makes it: sessionStorage is copied with the key of the sale. */
async function duplicate(page: Page, context: BrowserContext): Promise<Page> {
  const [copy] = await Promise.all([
    context.waitForEvent('page'),
    page.evaluate(() => {
      window.open('/admin/quick-orders')
    }),
  ])
  await ready(copy)
  return copy
}

const keyOf = (page: Page) =>
  page.evaluate((name) => (JSON.parse(sessionStorage.getItem(name) ?? '{}') as { key?: string }).key ?? '', SALE_KEY)

test('a duplicated tab sells a sale of its own: two paid sales arrive', async () => {
  const { page, context } = await openOfflinePos()
  const phones = [newPhone(), newPhone()]
  await enter(page, phones[0]!)
  const copy = await duplicate(page, context)
  await expect.poll(() => quantity(copy).inputValue()).toBe('1')
  await expect.poll(async () => (await keyOf(copy)) !== (await keyOf(page))).toBe(true)
  await context.setOffline(true)
  await place(page)
  await storedReceipt(page)
  await copy.bringToFront()
  await quantity(copy).fill('2')
  await copy.fill('#pos-phone', phones[1]!)
  await place(copy)
  await storedReceipt(copy)
  await unsent(copy, 2)
  await context.setOffline(false)
  await nothingWaits(copy)
  expect(await sold(phones[0]!)).toMatchObject([{ total: 10_000 }])
  expect(await sold(phones[1]!)).toMatchObject([{ total: 20_000 }])
  await allIsWell()
})

test('a stored sale is not replaced by another under its key', async () => {
  const { page, context } = await openOfflinePos()
  const [first, second] = [newPhone(), newPhone()]
  await enter(page, first)
  // As a tab whose key nobody could compare: its sale is stored, and the screen keeps the key.
  const key = await keyOf(page)
  await context.setOffline(true)
  await place(page)
  await storedReceipt(page)
  await enter(page, second)
  await page.evaluate(
    ([name, used]) => sessionStorage.setItem(name, JSON.stringify({ ...JSON.parse(sessionStorage.getItem(name)!), key: used })),
    [SALE_KEY, key] as const,
  )
  await page.reload()
  await ready(page)
  await expect.poll(() => quantity(page).inputValue()).toBe('1')
  await expect.poll(async () => (await keyOf(page)) !== key).toBe(true)
  await place(page)
  await storedReceipt(page)
  await unsent(page, 2)
  await context.setOffline(false)
  await nothingWaits(page)
  expect([await sold(first), await sold(second)].map((rows) => rows.length)).toEqual([1, 1])
  await allIsWell()
})

test('a key that the shop knows with other contents: a question, and a new sale after yes', async () => {
  const { page, expectProblem } = await openOfflinePos()
  expectProblem(/409/)
  const [earlier, phone] = [newPhone(), newPhone()]
  await enter(page, phone)
  const honey = await db.selectFrom('products').select('id').where('barcode', '=', CODE).executeTakeFirstOrThrow()
  const clerk = shop.visitor()
  await clerk.signIn(cashier.phone)
  const body = { products: [{ id: honey.id, quantity: 2 }], transactions: { cash: 200 }, total: 200, customer: { phone: earlier } }
  const used = await clerk.post('/admin/quick-orders/store', body, { headers: { 'idempotency-key': await keyOf(page) } })
  expect(used.status, used.text).toBe(200)
  await place(page)
  const question = page.getByRole('dialog', { name: t('pos.key-reused-title') })
  await question.getByText(t('pos.key-reused-text', { id: String(used.body.order_id) })).waitFor()
  expect(await complaints(page)).toEqual([])
  await question.getByRole('button', { name: t('pos.key-reused-do') }).click()
  await lastOrder(page)
  expect([await sold(earlier), await sold(phone)].map((rows) => rows.length)).toEqual([1, 1])
  await allIsWell()
})

test('a begun sale outlives its tab; an open tab keeps its own', async () => {
  const { page, context } = await openOfflinePos()
  const phone = newPhone()
  await enter(page, phone)
  await unlocked(page)
  // Another tab is empty: the sale is held by the first.
  const other = await context.newPage()
  await go(other, '/admin/quick-orders')
  await ready(other)
  await other.waitForTimeout(2000)
  expect(await quantity(other).count()).toBe(0)
  await other.locator('#pos-search').focus()
  await scan(other, CODE)
  await unlocked(other)
  await scan(other, CODE)
  await expect.poll(() => quantity(other).inputValue()).toBe('2')
  await page.close()
  await other.close()
  // Both are gone: the newer sale is on the screen, the other one is held.
  const again = await context.newPage()
  await go(again, '/admin/quick-orders')
  await ready(again)
  await expect.poll(() => quantity(again).inputValue()).toBe('2')
  await expect.poll(() => again.locator('[data-held]').innerText()).toBe('1')
  await again.getByText(t('pos.recovered')).waitFor()
  await again.keyboard.press('F8')
  await again.waitForFunction(() => document.activeElement?.tagName === 'BUTTON')
  await again.keyboard.press('1')
  await expect.poll(() => again.locator('#pos-phone').inputValue()).toBe(phone)
  await place(again)
  await lastOrder(again)
  expect(await sold(phone)).toHaveLength(1)
  await allIsWell()
})

test('a sale that another tab has taken is not shown twice', async () => {
  const { page, context } = await openOfflinePos()
  await enter(page, newPhone())
  // The tab is at another page, so its sale belongs to no open POS.
  await go(page, '/admin/quick-orders/shifts')
  const other = await context.newPage()
  await go(other, '/admin/quick-orders')
  await ready(other)
  await expect.poll(() => quantity(other).inputValue()).toBe('1')
  await go(page, '/admin/quick-orders')
  await ready(page)
  await expect.poll(() => quantity(page).count()).toBe(0)
  expect(await quantity(other).inputValue()).toBe('1')
})

test('a device without space says so, and the sale counts once', async () => {
  const { page, context } = await openOfflinePos()
  const phone = newPhone()
  await enter(page, phone)
  await page.evaluate(() => {
    IDBObjectStore.prototype.add = () => {
      throw new DOMException('No space', 'QuotaExceededError')
    }
  })
  // The shop sells, and its answer is lost.
  await context.route(STORE, async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await place(page)
  await page.getByText(t('pos.device-full')).first().waitFor()
  await page.locator('[data-storage-problem=full]').waitFor()
  // No promise that the device cannot hold.
  expect(await page.getByText(t('pos.state.offline-text')).count()).toBe(0)
  expect(await complaints(page)).toEqual([])
  await context.unroute(STORE)
  await place(page)
  await lastOrder(page)
  expect(await sold(phone)).toHaveLength(1)
  await allIsWell()
})

test.each([true, false])('whether the browser keeps saved sales is said when it does not (granted: %s)', async (granted) => {
  const { page, context } = await openOfflinePos()
  await context.addInitScript((isGranted) => {
    StorageManager.prototype.persisted = () => Promise.resolve(false)
    StorageManager.prototype.persist = () => Promise.resolve(isGranted)
  }, granted)
  await go(page, '/admin/quick-orders')
  await ready(page)
  await expect.poll(() => page.getByText(t('pos.state.not-persistent')).count()).toBe(granted ? 0 : 1)
})

test('unsent sales leave without a page, by background sync', async () => {
  const { page, context } = await openOfflinePos()
  const phone = newPhone()
  await context.route(STORE, (route) => route.abort('connectionreset'))
  await enter(page, phone)
  await place(page)
  await storedReceipt(page)
  const worker = context.serviceWorkers()[0]!
  await context.newPage()
  await page.close()
  await context.unroute(STORE)
  expect(await sold(phone)).toEqual([])
  await worker.evaluate((tag) => {
    const event = Object.assign(new Event('sync'), { tag, waitUntil: () => {} })
    self.dispatchEvent(event)
  }, SYNC_TAG)
  await expect.poll(async () => (await sold(phone)).length).toBe(1)
  const again = await context.newPage()
  await openPos(again)
  await nothingWaits(again)
  expect(await sold(phone)).toHaveLength(1)
  await allIsWell()
})

test('the line dies between the answer and the receipt: sale, number and receipt stay on the screen', async () => {
  const { page, context } = await openOfflinePos()
  const phone = newPhone()
  await enter(page, phone)
  await page.fill('#pos-cash', '500')
  await context.route('**/receipts/*', (route) => route.abort('connectionreset'))
  await place(page)
  const id = await lastOrder(page)
  await page.getByText(t('pos.last.from-device')).waitFor()
  expect(await page.locator('[data-change]').innerText()).toBe('৳400')
  await page.locator('html[data-printed="1"]').waitFor({ state: 'attached' })
  await page.locator('[data-print-in-place]', { hasText: id }).waitFor({ state: 'attached' })
  expect(await page.locator('[data-print-in-place] svg').count()).toBe(0)
  expect(await complaints(page)).toEqual([])
  await context.unroute('**/receipts/*')
  await page.keyboard.press('F3')
  await page.locator('[data-print-in-place] svg').first().waitFor({ state: 'attached' })
  await page.locator('html[data-printed="2"]').waitFor({ state: 'attached' })
  // The change stands until the next scan, which is taken half a second after the last one.
  await unlocked(page)
  await scan(page, CODE)
  await quantity(page).waitFor()
  expect(await page.locator('[data-last-sale]').count()).toBe(0)
  expect(await sold(phone)).toMatchObject([{ id: Number(id), total: 10_000 }])
})

test('a browser whose storage hangs: the sale is sent from the screen, and stays there without network', async () => {
  const { page, context } = await openOfflinePos()
  const [first, second] = [newPhone(), newPhone()]
  // A transaction that stores a sale does not end by itself.
  await page.evaluate(() => {
    const { add } = IDBObjectStore.prototype
    IDBObjectStore.prototype.add = function (...entry) {
      const stay = () => this.get('').addEventListener('success', stay)
      if (this.name === 'outbox') stay()
      return add.apply(this, entry)
    }
  })
  await enter(page, first)
  await place(page)
  await lastOrder(page)
  await enter(page, second)
  await context.setOffline(true)
  await place(page)
  await page.getByText(t('pos.offline')).waitFor()
  await context.setOffline(false)
  await place(page)
  await lastOrder(page)
  expect([await sold(first), await sold(second)].map((rows) => rows.length)).toEqual([1, 1])
  await allIsWell()
})

test('a shift that was closed on another screen is shown before the next sale, which stays', async () => {
  const { page } = await openOfflinePos()
  const phone = newPhone()
  await enter(page, phone)
  const clerk = shop.visitor()
  await clerk.signIn(cashier.phone)
  const counted = { counted_cash: 0, counted_bkash: 0, counted_bank: 0, note: 'Counted at the other counter' }
  expect((await clerk.post('/admin/quick-orders/shift/close', counted)).status).toBe(200)
  const notice = page.locator('[data-shift-closed]')
  // The page asks on focus, at most every five seconds.
  const noticed = () => page.evaluate(() => dispatchEvent(new Event('focus'))).then(() => notice.count())
  await expect.poll(noticed).toBe(1)
  expect(await complaints(page)).toEqual([])
  await place(page)
  expect(await sold(phone)).toEqual([])
  await notice.getByRole('button', { name: t('pos.shift-reload') }).click()
  await page.locator('[name=opening_cash]').waitFor()
  await openPos(page)
  await expect.poll(() => quantity(page).inputValue()).toBe('1')
  await place(page)
  await lastOrder(page)
  expect(await sold(phone)).toHaveLength(1)
  await allIsWell()
})
