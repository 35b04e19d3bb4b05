import { expect, it } from 'vitest'
import { complaints } from './axe.ts'
import { openPage } from './browser.ts'
import { browser, shop, useDemoShop } from './demo-shop.ts'

useDemoShop()

/** Waits until the worker has stored the offline page and controls the page. */
async function ready(page: Awaited<ReturnType<typeof openPage>>['page']) {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 90_000 })
  await page.waitForFunction(async () => (await caches.keys()).includes('khamar-shop-offline'))
}

it('shows the offline page in both languages without network, and the shop again with it', async () => {
  const { page, context, expectProblem } = await openPage(browser, { baseUrl: shop.url, shopWorker: true })
  expectProblem(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
  await page.goto('/fruits')
  await ready(page)
  await context.setOffline(true)
  await page.goto('/beef')
  expect(await page.locator('h1').textContent()).toBe('ইন্টারনেট সংযোগ নেই')
  expect(await page.locator('h2').textContent()).toBe('No connection')
  expect(await page.locator('a[href^="tel:+8801"]').count()).toBe(2)
  expect(await complaints(page)).toEqual([])
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.waitForURL('**/beef')
  expect(await page.locator('h2').textContent()).toBe('No connection')
  await context.setOffline(false)
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.waitForSelector('header')
  expect(new URL(page.url()).pathname).toBe('/beef')
  expect(await page.locator('h1').textContent()).not.toBe('ইন্টারনেট সংযোগ নেই')
})

it('caches nothing but the offline page, and shows no page, price or status from a cache', async () => {
  const { page, context, expectProblem } = await openPage(browser, { baseUrl: shop.url, shopWorker: true })
  expectProblem(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
  await page.goto('/')
  await ready(page)
  await page.goto('/fruits')
  await page.waitForFunction(() => (window as unknown as { pageAwake?: boolean }).pageAwake)
  const cached = await page.evaluate(async () => {
    const found: string[] = []
    for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname)
    return found
  })
  expect(cached).toEqual(['/offline'])
  await context.setOffline(true)
  expect(await page.evaluate(() => fetch('/api/products', { cache: 'no-store' }).then(String, () => 'no answer'))).toBe('no answer')
  // The page that was open a moment ago is not shown again either.
  await page.goto('/fruits')
  expect(await page.locator('h2').textContent()).toBe('No connection')
})

it('leaves the admin to the network', async () => {
  const { page, context, expectProblem } = await openPage(browser, { baseUrl: shop.url, shopWorker: true })
  expectProblem(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
  await page.goto('/fruits')
  await ready(page)
  await context.setOffline(true)
  await expect(page.goto('/admin')).rejects.toThrow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
})
