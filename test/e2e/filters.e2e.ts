import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { complaints } from './axe.ts'
import { openPage } from './browser.ts'
import { browser, database, shop, useDemoShop } from './demo-shop.ts'

useDemoShop()

const awake = (page: Page) => page.waitForFunction(() => window.pageAwake)
const query = (page: Page) => new URL(page.url()).search
const cards = (page: Page) => page.locator('main section ul [data-product]')
const list = (page: Page) => page.getByRole('list', { name: 'Filters' })

describe('the traits of animals', () => {
  test('narrow a list, with applied filters that are removed one by one or together', async () => {
    const { page } = await openPage(browser, { baseUrl: shop.url })
    await page.goto('/beef?page=1&sort=asc')
    await awake(page)
    await page.getByText('Filters', { exact: true }).click()
    // The options that follow the list replace the links of the server.
    await expect.poll(() => page.locator('#traits').count()).toBe(0)
    await page
      .getByRole('region', { name: 'Sex' })
      .getByRole('link', { name: /^Ox \(5\)$/ })
      .click()
    await expect.poll(() => query(page)).toBe('?sort=asc&sex=ox')
    await expect.poll(() => cards(page).count()).toBe(5)
    await page.getByRole('region', { name: 'Breed' }).getByRole('link', { name: 'Sahiwal cross (1)' }).click()
    await expect.poll(() => cards(page).count()).toBe(1)
    expect(await page.getByRole('region', { name: 'Sex' }).getByRole('link').allTextContents()).toEqual(['Bull (1)', 'Ox (1)'])
    expect(await list(page).getByRole('link').allTextContents()).toEqual(['Sahiwal cross', 'Ox', 'Clear all'])
    expect(await complaints(page)).toEqual([])
    await list(page).getByRole('link', { name: 'Clear filter: Ox' }).click()
    await expect.poll(() => query(page)).toBe('?sort=asc&breed=Sahiwal+cross')
    await expect.poll(() => cards(page).count()).toBe(2)
    await page.goBack()
    await expect.poll(() => query(page)).toBe('?sort=asc&breed=Sahiwal+cross&sex=ox')
    await expect.poll(() => cards(page).count()).toBe(1)
    await list(page).getByRole('link', { name: 'Clear all' }).click()
    await expect.poll(() => query(page)).toBe('?sort=asc')
    await expect.poll(() => cards(page).count()).toBeGreaterThan(10)
    expect(await list(page).count()).toBe(0)
  })

  test('work without scripts, on a wide screen in Bengali', async () => {
    const { page } = await openPage(browser, { baseUrl: shop.url, width: 1280, lang: 'bn', javaScript: false })
    await page.goto('/kurbani?status=in-stock')
    await page.getByText('ফিল্টার', { exact: true }).click()
    await page.getByRole('link', { name: /^বলদ/ }).click()
    expect(query(page)).toBe('?status=in-stock&sex=ox')
    expect(await cards(page).count()).toBe(2)
    await page.getByRole('link', { name: 'ফিল্টার বাদ দিন: বলদ' }).click()
    expect(query(page)).toBe('?status=in-stock')
  })
})

describe('the comparison', () => {
  test('three animals are chosen from a list, remembered, and seen side by side', async () => {
    const { page } = await openPage(browser, { baseUrl: shop.url })
    await page.goto('/kurbani')
    await awake(page)
    const boxes = page.locator('main [data-compare]')
    const bar = page.getByRole('region', { name: 'Compare animals' })
    for (const at of [0, 1, 2]) await boxes.nth(at).click()
    await bar.getByText('3 of 3 chosen').waitFor()
    await boxes.nth(3).click()
    await bar.getByText('You can compare three animals').waitFor()
    expect(await boxes.evaluateAll((all) => all.map((one) => one.getAttribute('aria-pressed')).slice(0, 4))).toEqual([
      'true',
      'true',
      'true',
      'false',
    ])
    await boxes.nth(1).press(' ')
    await bar.getByText('2 of 3 chosen').waitFor()
    await boxes.nth(1).press(' ')
    expect(await complaints(page)).toEqual([])
    await page.reload()
    await bar.getByText('3 of 3 chosen').waitFor()
    await expect.poll(() => boxes.nth(0).getAttribute('aria-pressed')).toBe('true')
    await bar.getByRole('link', { name: 'Compare' }).click()
    await page.getByRole('table', { name: 'Compare animals' }).waitFor()
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(wide).toBeLessThanOrEqual(390)
    const row = (name: string) =>
      page
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name, exact: true }) })
        .getByRole('cell')
    expect(await row('Sex').allTextContents()).toEqual(['Bull', 'Bull', 'Bull'])
    expect(await row('Weight gain').first().textContent()).toMatch(/^\+[\d.]+ kg in \d+ days$/)
    expect(await complaints(page)).toEqual([])
    await page
      .getByRole('button', { name: /^Add to cart/ })
      .first()
      .click()
    await expect.poll(() => page.evaluate(() => (JSON.parse(localStorage.cartData ?? '[]') as unknown[]).length)).toBe(1)
    await page
      .getByRole('link', { name: /^Remove / })
      .first()
      .click()
    await page.waitForURL(/ids=\d+,\d+$/)
    expect(await page.evaluate(() => localStorage.compared)).toMatch(/^\d+,\d+$/)
    const id = Number(await page.evaluate(() => localStorage.compared.split(',')[0]))
    onTestFinished(async () => void (await database.query(`update products set status = 'in-stock', hold_reason = null where id = ${id}`)))
    await awake(page)
    await database.query(`update products set status = 'hold', hold_reason = 'soon' where id = ${id}`)
    await page.locator('[data-status="hold"]').waitFor()
  })

  test('by address without scripts, in Bengali; hostile ids are left out', async () => {
    const { page } = await openPage(browser, { baseUrl: shop.url, width: 1280, lang: 'bn', javaScript: false })
    const ids = (await database.query<{ id: number }>('select id from products where is_unique and visible order by id limit 2')).rows.map(
      ({ id }) => id,
    )
    const goods = (await database.query<{ id: number }>('select id from products where not is_unique limit 1')).rows[0]!.id
    await page.goto(`/compare?ids=${ids.join()}`)
    expect(await page.getByRole('columnheader').count()).toBe(3)
    for (const hostile of ['', 'abc', '-1,0', '999999999', String(goods), "1;drop table products,'"]) {
      expect((await page.goto(`/compare?ids=${encodeURIComponent(hostile)}`))!.status()).toBe(200)
      await page.getByText('এখনো কোনো গরু বাছাই করা হয়নি').waitFor()
    }
    await page.goto(`/compare?ids=${ids[0]},999999999`)
    await page.getByText('একটি গরু এখন আর দোকানে নেই।').waitFor()
  })
})

describe('a held animal', () => {
  test('sends one SMS when it can be ordered again, asked for in Bengali', async () => {
    const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url, lang: 'bn' })
    const { id } = (
      await database.query<{ id: number }>("select id from products where is_unique and visible and status = 'hold' order by id limit 1")
    ).rows[0]!
    for (const path of [`/order/place/${id}`, `/product/${id}`]) {
      await page.goto(path)
      await awake(page)
      await page.getByRole('button', { name: 'পাওয়া গেলে আমাকে জানান' }).click()
    }
    const dialog = page.getByRole('dialog')
    const phone = dialog.getByRole('textbox')
    await phone.fill('123')
    expectProblem(/422/)
    await dialog.getByRole('button', { name: 'আমাকে জানান', exact: true }).click()
    await expect.poll(() => phone.getAttribute('aria-invalid')).toBe('true')
    expect(await complaints(page)).toEqual([])
    await phone.fill('০১৭১২৩৪৫৬৭৮')
    await dialog.getByRole('button', { name: 'আমাকে জানান', exact: true }).click()
    await dialog.getByText('হয়ে গেছে। আপনাকে এসএমএস পাঠানো হবে।').waitFor()
    expect((await database.query('select phone, lang from product_waits where product_id = $1', [id])).rows).toEqual([
      { phone: '01712345678', lang: 'bn' },
    ])
  })
})
