import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { POS_DATABASE } from '#features/pos/storage-names.ts'
import { openPage } from './browser.ts'
import { newPhone } from './new-phone.ts'
import { allIsWell, browser, cashier, CODE, db, sellWithout, shop, signInAs, sold, startOfflinePos, t } from './offline-pos.ts'
import { lastOrder, nothingWaits, offline, online, openPos, place, quantity, ready, settled, unsent } from './pos-page.ts'

await startOfflinePos()

// A device that sold with release 0.1.0, and opens the POS after the upgrade.

/** A sale as release 0.1.0 stored it in its outbox: "place" is its turn, "clash" a sale that the shop has rejected. */
function storedSale(place: number, productId: number, phone: string, state: 'waiting' | 'clash') {
  const key = crypto.randomUUID()
  const soldAt = new Date().toISOString()
  const customer = { phone, name: '', email: '' }
  const line = { id: productId, name: 'Test honey', unit: 'kg', price: 10_000, image: null, isAnimal: false, isHeld: false }
  const payment = { cash: null, bkash: '', bank: '', bkashId: '', bankId: '', discount: '', approval: null }
  const sums = { discount: 0, sub_total: 100, shipping_cost: 0, total: 100, change_amount: 0, paid_amount: 100 }
  return {
    key,
    place,
    cashier: { id: cashier.id, name: 'Shirin' },
    soldAt,
    total: 100,
    body: {
      products: [{ id: productId, quantity: '1', price: 100 }],
      transactions: { cash: 100, bkash: 0, bank: 0 },
      transaction_ids: { bkash: '', bank: '' },
      ...sums,
      customer,
      delivery: null,
      sold_at: soldAt,
      cashier_id: cashier.id,
    },
    sale: {
      key,
      lines: [{ ...line, group: 'produce', shipping: 8000, quantity: '1' }],
      ...customer,
      ...payment,
      deliver: false,
      areaId: '',
      address: '',
    },
    state,
    ...(state === 'clash' ? { clash: { reason: 'changed', message: 'The price has changed.' } } : {}),
  }
}

/** The database of release 0.1.0 with these sales, on a page that does not use it. */
async function fillDevice(page: Page, sales: object[]): Promise<void> {
  await page.goto('/login')
  await page.evaluate(
    async ([name, rows]) => {
      const request = indexedDB.open(name, 1)
      await new Promise<void>((resolve, reject) => {
        request.addEventListener('upgradeneeded', () => {
          for (const store of ['catalogue', 'about']) request.result.createObjectStore(store)
          const outbox = request.result.createObjectStore('outbox', { keyPath: 'key' })
          for (const row of rows) outbox.put(row)
        })
        request.addEventListener('success', () => resolve(request.result.close()))
        request.addEventListener('error', () => reject(new Error('The database cannot be made')))
      })
    },
    [POS_DATABASE, sales] as const,
  )
}

test('it sends what waits, edits what was rejected, and stores the products to sell without network', async () => {
  const { id } = await db.selectFrom('products').select('id').where('barcode', '=', CODE).executeTakeFirstOrThrow()
  const [waiting, rejected, without] = [newPhone(), newPhone(), newPhone()]
  const { page, context, expectProblem } = await openPage(browser, { baseUrl: shop.url, width: 1280 })
  expectProblem(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION|net::ERR_ABORTED/)
  await context.addInitScript(() => void (window.print = () => {}))
  await fillDevice(page, [storedSale(1, id, waiting, 'waiting'), storedSale(2, id, rejected, 'clash')])
  await signInAs(page, cashier.phone)

  await openPos(page)
  await expect.poll(async () => (await sold(waiting)).length, { timeout: 60_000 }).toBe(1)
  await settled(page)
  expect(await page.getByText(t('pos.state.catalog-not-stored')).count()).toBe(0)

  await unsent(page, 1)
  await page.locator('[data-unsent]').first().click()
  await page.getByRole('button', { name: t('pos.unsent.edit') }).click()
  await expect.poll(() => quantity(page).inputValue()).toBe('1')
  await place(page)
  await lastOrder(page)
  expect(await sold(rejected)).toMatchObject([{ total: 10_000, paid: 10_000 }])

  await context.setOffline(true)
  await page.reload()
  await ready(page)
  await offline(page)
  await sellWithout(page, without)
  await context.setOffline(false)
  await online(page)
  await nothingWaits(page)
  expect(await sold(without)).toHaveLength(1)
  await allIsWell()
})
