import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { CART_KEY } from '#features/cart/rules.ts'
import { cartItemOf, storedCart } from '#features/cart/stored-rules.ts'
import { translate } from '#lib/i18n/translate.ts'
import { consent } from '#messages/en/consent.ts'
import { openPage } from './browser.ts'
import { button, ordersOf, pick, toPreview } from './checkout.ts'
import { browser, database, shop, useDemoShop } from './demo-shop.ts'

useDemoShop()

// What Meta Pixel and GA4 get of a shopper who has accepted, with their scripts replaced by ones that only record.

beforeAll(async () => {
  await database.query(`insert into settings (key, value) values ('analytics', '{"pixel_id": "123456789", "ga4_id": "G-ABCD1234"}')
    on conflict (key) do update set value = excluded.value`)
})

const t = translate('en')
const META = `sessionStorage.setItem('referrers', document.referrer)
const record = (...args) => sessionStorage.setItem('calls', JSON.stringify([...calls(), args]))
const calls = () => JSON.parse(sessionStorage.getItem('calls') ?? '[]')
fbq.callMethod = record
fbq.queue.forEach((args) => record(...args))`

async function shopper(): Promise<Page> {
  const { page } = await openPage(browser, { baseUrl: shop.url })
  await page.addInitScript(() => localStorage.setItem('analyticsConsent', 'yes'))
  await page.route('https://connect.facebook.net/**', (route) => route.fulfill({ contentType: 'text/javascript', body: META }))
  await page.route('https://www.googletagmanager.com/**', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  return page
}

type Call = [string, string, { value?: number }?, { eventID: string }?]
/** The calls of Meta Pixel since the last time, once the page has reported its view. */
async function reported(page: Page): Promise<Call[]> {
  const read = () => page.evaluate(() => JSON.parse(sessionStorage.getItem('calls') ?? '[]') as Call[])
  await expect.poll(async () => (await read()).map(([, name]) => name)).toContain('PageView')
  const calls = await read()
  await page.evaluate(() => sessionStorage.removeItem('calls'))
  return calls.filter(([command, name]) => command === 'track' && name !== 'PageView')
}
const purchases = async (page: Page) => (await reported(page)).flatMap(([, name, , more]) => (name === 'Purchase' ? [more?.eventID] : []))

test('they get no key of an order with the previous address', async () => {
  const { rows } = await database.query<{ id: number; view_key: string }>('select id, view_key from orders order by id desc limit 1')
  const page = await shopper()
  await page.goto(`/invoice/${rows[0]!.id}?key=${rows[0]!.view_key}`)
  await page.getByRole('link', { name: t('invoice.shop-more') }).click()
  await page.waitForURL(`${shop.url}/`)
  await reported(page)
  expect(await page.evaluate(() => sessionStorage.getItem('referrers'))).toBe(`${shop.url}/`)
})

test('they get the prices that are charged, and each purchase once', async () => {
  const page = await shopper()
  const [first, second] = [await pick('produce'), await pick('produce')]
  await database.query(`update products set discount_kind = 'fixed', discount_value = 500 where id = $1`, [first.id])
  const placed: number[] = []
  for (const [phone, product] of [
    ['01811440011', { ...first, discount: 5, discount_type: 'fixed' as const }],
    ['01811440012', second],
  ] as const) {
    await page.goto('/login')
    await page.evaluate(([key, cart]) => localStorage.setItem(key, cart), [CART_KEY, storedCart([cartItemOf(product)])] as const)
    await toPreview(page, 'en', 'payment.cod', phone)
    const [checkout] = await reported(page)
    await button(page, t('place.order')).click()
    await page.waitForURL(/\/order\/confirmed\/\d+/)
    const order = (await ordersOf(phone)).at(-1)
    placed.push(order!.id)
    const { rows } = await database.query<{ lines: string }>(
      'select sum(line_total_poisha) as lines from order_lines where order_id = $1',
      [order!.id],
    )
    expect(checkout?.slice(1, 3)).toMatchObject(['InitiateCheckout', { value: Number(rows[0]!.lines) / 100 }])
    expect(await reported(page)).toMatchObject([
      ['track', 'Purchase', { value: Number(order!.total_poisha) / 100 }, { eventID: `order-${order!.id}` }],
    ])
  }
  for (const id of placed) {
    await page.goto(`/order/confirmed/${id}`)
    expect(await purchases(page)).toEqual([])
  }
  // Another browser, or one that has forgotten: an order of the past is no purchase of today.
  await database.query(`update orders set placed_at = now() - interval '25 hours' where id = $1`, [placed[0]])
  await page.evaluate(() => localStorage.removeItem('analyticsPurchase'))
  await page.goto(`/order/confirmed/${placed[0]}`)
  expect(await purchases(page)).toEqual([])
  await page.goto(`/order/confirmed/${placed[1]}`)
  expect(await purchases(page)).toEqual([`order-${placed[1]}`])
})

test('taking the answer back deletes their cookies and no other', async () => {
  const page = await shopper()
  const names = ['_fbp', '_fbc', '_ga', '_ga_ABCD1234', '_gcl_au', 'lang']
  await page.context().addCookies(names.map((name) => ({ name, value: 'en', url: shop.url })))
  await page.goto('/fruits')
  await reported(page)
  await button(page, consent['consent.change']).click()
  await button(page, consent['consent.refuse']).click()
  const left = async () => (await page.context().cookies()).map(({ name }) => name).filter((name) => names.includes(name))
  await expect.poll(left).toEqual(['lang'])
})
