import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { complaints } from './axe.ts'
import { openPage } from './browser.ts'
import { browser, database, shop, useDemoShop } from './demo-shop.ts'

useDemoShop()

const KURBANI = "category_id = (select id from categories where slug = 'kurbani-cow')"

const cows = (page: Page) =>
  page.locator('main section ul [data-product]').evaluateAll((all) =>
    all.map((one) => ({
      price: Number(one.querySelector('div.tabular-nums .font-semibold')?.textContent?.replace(/[^\d.]/g, '')),
      status: (one as HTMLElement).dataset.status,
    })),
  )
type Cow = { price: number; status: string | undefined }
const areAll = (all: Cow[], test: (cow: Cow) => boolean) => all.length > 0 && all.every(test)
const awake = (page: Page) => page.waitForFunction(() => window.pageAwake)
const query = (page: Page) => new URL(page.url()).search

async function expectAccessible(page: Page): Promise<void> {
  expect(await complaints(page)).toEqual([])
}

describe('the Kurbani cows', () => {
  test('weight, status, order and price, all in the address, every change back on page 1, and Back through them all', async () => {
    const { page } = await openPage(browser, { baseUrl: shop.url })
    await page.goto('/kurbani?page=2')
    await awake(page)
    await page.getByRole('link', { name: '200-250kg', exact: true }).click()
    await expect.poll(() => query(page)).toBe('?minPrice=110000&maxPrice=137500')
    await expect.poll(async () => areAll(await cows(page), ({ price }) => price >= 110_000 && price <= 137_500)).toBe(true)
    await page.getByLabel('Status').selectOption('sold')
    await expect.poll(() => query(page)).toBe('?minPrice=110000&maxPrice=137500&status=sold')
    await page.getByRole('link', { name: '200-250kg', exact: true }).click()
    await expect.poll(() => query(page)).toBe('?status=sold')
    await expect.poll(async () => (await cows(page)).map(({ status }) => status)).toEqual(expect.arrayContaining(['sold']))
    expect(areAll(await cows(page), ({ status }) => status === 'sold')).toBe(true)
    expect(await page.getByRole('link', { name: 'Details' }).count()).toBeGreaterThan(0)
    await page.getByLabel('Sort').selectOption('desc')
    await expect.poll(() => query(page)).toBe('?sort=desc&status=sold')
    await page.getByLabel('Status').selectOption('all')
    const field = page.getByRole('textbox', { name: 'Minimum price in taka' })
    await field.fill('১৫০০০৪')
    await field.press('Enter')
    await expect.poll(() => query(page)).toBe('?minPrice=150000&sort=desc')
    await expect.poll(async () => areAll(await cows(page), ({ price }) => price >= 150_000)).toBe(true)
    await page.goBack()
    await page.goBack()
    await expect.poll(() => query(page)).toBe('?sort=desc&status=sold')
    await expect.poll(async () => areAll(await cows(page), ({ status }) => status === 'sold')).toBe(true)
    expect(await page.getByLabel('Status').inputValue()).toBe('sold')
    await page.goBack()
    await page.goBack()
    await page.goBack()
    await expect.poll(() => query(page)).toBe('?minPrice=110000&maxPrice=137500')
    await expect(page.getByRole('link', { name: '200-250kg', exact: true }).getAttribute('aria-current')).resolves.toBe('true')
    await page.goBack()
    await expect.poll(() => query(page)).toBe('?page=2')
    await expect.poll(async () => (await page.locator('main [aria-live=polite]').first().textContent()) ?? '').toMatch(/^21 - /)
  })

  test('the slider by keyboard: steps of 10, the handles 10,000 apart, names and values that are read out', async () => {
    const { page } = await openPage(browser, { baseUrl: shop.url, width: 1280 })
    await page.goto('/kurbani')
    await awake(page)
    const [from, to] = [page.getByRole('slider', { name: 'Minimum price' }), page.getByRole('slider', { name: 'Maximum price' })]
    const lowest = Number(await from.inputValue())
    await from.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(Number(await from.inputValue())).toBe(lowest + 20)
    await expect.poll(() => query(page)).toBe(`?minPrice=${lowest + 20}`)
    await page.keyboard.press('End')
    const highest = Number(await to.inputValue())
    expect(Number(await from.inputValue())).toBe(highest - 10_000)
    expect(await from.getAttribute('aria-valuetext')).toMatch(/^৳[\d,]+$/)
    await to.focus()
    await page.keyboard.press('Home')
    expect(Number(await to.inputValue())).toBe(highest)
  })

  test('the slider by touch, one list for one drag', async () => {
    const { page } = await openPage(browser, { baseUrl: shop.url })
    await page.goto('/kurbani')
    await awake(page)
    const handle = page.getByRole('slider', { name: 'Minimum price' })
    await handle.scrollIntoViewIfNeeded()
    const box = (await handle.boundingBox())!
    const asked: string[] = []
    page.on('request', (request) => (request.url().includes('minPrice') ? asked.push(request.url()) : null))
    await page.mouse.move(box.x + 22, box.y + 22)
    await page.mouse.down()
    for (const share of [0.1, 0.2, 0.3]) await page.mouse.move(box.x + box.width * share, box.y + 22)
    await page.mouse.up()
    await expect.poll(() => query(page)).toMatch(/^\?minPrice=\d+$/)
    await expect.poll(() => asked.length).toBe(1)
  })

  test('20 placeholders while it loads; pictures and videos over the list; a notice that can be closed', async () => {
    const { page } = await openPage(browser, { baseUrl: shop.url })
    await page.goto('/kurbani')
    await awake(page)
    await page.getByRole('button', { name: 'Close this notice' }).click()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('How Kurbani booking works')
    await page.reload()
    await page.getByText('How Kurbani booking works').waitFor()
    await page.locator('[data-product] button', { hasText: /\d/ }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/kurbani-cows?*', async (route) => {
      await held
      await route.continue()
    })
    await page.getByLabel('Sort').selectOption('asc')
    await page.locator('[data-skeletons="20"]').waitFor()
    expect(await page.locator('[data-skeletons] > div').count()).toBe(20)
    release()
    await expect.poll(async () => (await cows(page)).length).toBe(20)
  })

  test.each(['/kurbani', '/kurbani?status=hold&sort=desc'])('%s: filters are there without script', async (path) => {
    const { page } = await openPage(browser, { baseUrl: shop.url, javaScript: false })
    await page.goto(path)
    await page.getByRole('textbox', { name: 'Minimum price in taka' }).fill('150000')
    await page.getByRole('button', { name: 'Apply' }).click()
    expect(page.url()).toContain('minPrice=150000')
    expect(areAll(await cows(page), ({ price }) => price >= 150_000)).toBe(true)
    if (path.includes('hold')) {
      expect(page.url()).toContain('status=hold')
      const wait = page.getByRole('link', { name: 'Wait For Availability' }).first()
      expect(await wait.getAttribute('aria-disabled')).toBe('true')
      expect(await wait.getAttribute('href')).toMatch(/^\/order\/place\/\d+$/)
    }
  })
})

describe('when none is in stock', () => {
  beforeAll(() => database.query(`update products set status = 'sold', stock_milli = 0 where status = 'in-stock' and ${KURBANI}`))

  test('pre-booking in Bengali: errors stand at their fields and go when corrected, district by keyboard, listed for the staff', async () => {
    const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url, lang: 'bn' })
    expectProblem(/422/)
    await page.goto('/kurbani')
    await page.getByRole('heading', { level: 1, name: 'কোরবানির গরু প্রি-বুকিং' }).waitFor()
    await page.getByText('Kurbani Cow Pre-Booking').waitFor()
    await awake(page)
    await expectAccessible(page)
    const submit = page.getByRole('button', { name: 'প্রি-বুকিং করুন' })
    await submit.click()
    await page.getByText('নাম লিখুন').waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('name')
    await page.getByLabel('আপনার নাম').fill('রহিমা খাতুন')
    expect(await page.getByText('নাম লিখুন').count()).toBe(0)
    await page.getByLabel('মোবাইল নম্বর').fill('০১৭১২-৩৪৫')
    await page.getByLabel('দামের পরিসর').selectOption('১,২০,০০১-১,৫০,০০০ টাকা')
    await page.locator('#district').focus()
    await page.keyboard.type('chattog')
    await expectAccessible(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await page.locator('#district').inputValue()).toBe('চট্টগ্রাম')
    await page.getByLabel('থানা / উপজেলা').click()
    expect(await page.getByRole('option', { name: /Dhanmondi/ }).count()).toBe(0)
    await page.keyboard.type('হাট')
    await page.getByRole('option', { name: /Hathazari/ }).click()
    await submit.click()
    await page.getByText('১১ সংখ্যার').first().waitFor()
    await page.getByLabel('মোবাইল নম্বর').fill('০১৭১২-৩৪৫৬৭৮')
    await submit.click()
    await page.getByText('আপনার বুকিং সফলভাবে জমা হয়েছে!').first().waitFor()
    expect(await page.getByLabel('আপনার নাম').inputValue()).toBe('')
    const { rows } = await database.query(
      'select name, phone, district, thana, price_range, state from kurbani_bookings order by id desc limit 1',
    )
    expect(rows[0]).toEqual({
      name: 'রহিমা খাতুন',
      phone: '01712345678',
      district: 'Chattogram',
      thana: 'Hathazari',
      price_range: '১,২০,০০১-১,৫০,০০০ টাকা',
      state: 'new',
    })
  })

  test('without script the form has no button, which would send nothing, but the phone', async () => {
    const { page } = await openPage(browser, { baseUrl: shop.url, javaScript: false })
    await page.goto('/kurbani')
    await page.getByRole('link', { name: /ফোনেও বুক করতে পারেন/ }).waitFor()
    expect(await page.getByRole('button', { name: 'প্রি-বুকিং করুন' }).count()).toBe(0)
  })

  test('what was typed survives a network that fails, and the page opened again', async () => {
    const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
    expectProblem(/kurbani-bookings|ERR_FAILED|Failed to load/)
    await page.goto('/kurbani')
    await awake(page)
    await page.getByLabel(/Name/).fill('Karim')
    await page.getByLabel(/Phone/).fill('01711222333')
    await page.getByLabel(/Price range/).selectOption({ index: 12 })
    const fails = Promise.withResolvers<void>()
    await page.route('**/api/kurbani-bookings', (route) => fails.promise.then(() => route.abort()))
    await page.getByRole('button', { name: 'প্রি-বুকিং করুন' }).click()
    await page.getByRole('button', { name: 'অপেক্ষা করুন...' }).waitFor()
    fails.resolve()
    await page.getByText('Failed to submit booking. Please try again.').first().waitFor()
    await page.unroute('**/api/kurbani-bookings')
    await page.reload()
    await expect.poll(() => page.getByLabel(/Name/).inputValue()).toBe('Karim')
    await page.getByRole('button', { name: 'প্রি-বুকিং করুন' }).click()
    await page.getByText('Your booking has been submitted successfully!').first().waitFor()
  })

  test('a check that fails shows the cows', async () => {
    const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
    expectProblem(/kurbani-cows|ERR_FAILED|Failed to load/)
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/kurbani-cows?status=in-stock&limit=1', async (route) => {
      await held
      await route.abort()
    })
    await page.goto('/kurbani')
    await page.getByText('Checking available products...').waitFor()
    release()
    await expect.poll(async () => (await cows(page)).length).toBe(20)
  })
})
