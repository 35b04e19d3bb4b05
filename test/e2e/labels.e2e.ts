import { expect, test } from 'vitest'
import type { Lang } from '#lib/lang.ts'
import { browser, database, shop } from './demo-shop.ts'
import { openPage } from './browser.ts'
import { signIn } from './sign-in.ts'
import { BY_DESIGN, findTightLabels } from './tight-labels.ts'

// Labels that are longer than their place: every type of page of the demo shop, at 390 and 1280 px, in both languages.

const OWNER = '01711000001'
const CUSTOMER = '01811000001'
const HEIGHTS = { 1280: 800, 390: 844 }

const first = async (columns: string) => (await database.query<Record<string, string>>(`select ${columns}`)).rows[0]!
const listed = (paths: string) => paths.trim().split(/\s+/)

/** The pages by visitor; one of each type, and forms with their rows filled. */
async function pagesOf(): Promise<[identifier: string | null, paths: string[]][]> {
  const { order, goods, animal, customer, area, category, slot, popup, coupon } = await first(`
    (select id from orders where status = 'processing' order by id limit 1) as "order",
    (select id from products where not is_unique and visible and status = 'in-stock' order by id limit 1) as goods,
    (select id from products where is_unique and visible order by id limit 1) as animal,
    (select id from users where role = 'customer' order by id limit 1) as customer,
    (select min(id) from areas) as area, (select min(id) from categories) as category, (select min(id) from slots) as slot,
    (select min(id) from popups) as popup, (select min(id) from coupons) as coupon`)
  const { track, key } = await first(`tracking_code as track, view_key as key from orders where id = ${order}`)
  const inAdmin = `
    / /orders /orders?q=0&due=yes /orders/create /orders/update/${order} /orders/invoice/${order} /quick-orders /quick-orders/return
    /quick-orders/code /quick-orders/shifts /quick-orders/pos-invoice/${order} /advances /payments /held-animals /bookings /customers
    /customers/${customer} /customers/${customer}/edit /customers/${customer}/merge /leaderboard /sms /products /products?q=m&status=in-stock
    /products/create /products/import /products/${goods} /products/${animal} /labels?ids=${goods},${animal} /categories /category/create
    /category/${category}/edit /slots /slots/create /slots/${slot} /popups /popups/create /popups/${popup} /coupons /coupons/create
    /coupons/${coupon} /areas /areas/create /areas/${area} /texts /texts/terms-condition /weigh-ins /weigh-ins?tag=B-218 /rates /rates/edit
    /reports /audit /staff /settings?part=shop /settings?part=notices /settings?part=payments /settings?part=orders /settings?part=till
    /settings?part=animals /settings?part=messages /settings?part=security /settings?part=scales`
  const inShop = `
    / /fruits /beef /kurbani /search?q=mango /product/${goods} /product/${animal} /order/place/${goods} /cart /login /register
    /forgot-password /code /terms-condition /animal/${animal} /track/${track} /invoice/${order}?key=${key}`
  return [
    [OWNER, listed(inAdmin).map((path) => (path === '/' ? '/admin' : `/admin${path}`))],
    [null, listed(inShop)],
    [CUSTOMER, ['/account', '/account/profile', '/account/addresses', '/account/security']],
  ]
}

test.each<Lang>(['en', 'bn'])('labels fit their places: %s', async (lang) => {
  const found: string[] = []
  for (const [identifier, paths] of await pagesOf()) {
    const { page } = await openPage(browser, { baseUrl: shop.url, lang, width: 1280 })
    if (identifier) await signIn(page, identifier)
    for (const path of paths) {
      await page.setViewportSize({ width: 1280, height: HEIGHTS[1280] })
      await page.goto(path)
      await page.waitForFunction(() => window.pageAwake)
      await page.evaluate(() => document.fonts.ready)
      for (const width of [1280, 390] as const) {
        await page.setViewportSize({ width, height: HEIGHTS[width] })
        const labels = await page.evaluate(findTightLabels, BY_DESIGN)
        found.push(...labels.map((label) => `${width} ${path} ${label}`))
      }
    }
  }
  expect(found).toEqual([])
})

test('the check finds what is cut, what wraps and what is pushed down', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url })
  await page.goto('/login')
  await page.evaluate(() => {
    document.body.innerHTML = `
      <p style="overflow:hidden;white-space:nowrap;text-overflow:ellipsis;width:60px">A heading that is cut</p>
      <p title="A long name" style="overflow:hidden;white-space:nowrap;width:60px">A long name that may be cut</p>
      <button class="btn" style="width:70px;white-space:normal">Record the payment</button>
      <input placeholder="Order number, phone, name, tag" style="width:90px">
      <select style="width:60px"><option>Ready for delivery</option></select>
      <div style="display:grid;grid-template-columns:120px 120px">
        <div><label>A label of far too many words for its column</label><input style="width:100px"></div>
        <div><label>Short</label><input style="width:100px"></div>
      </div>`
  })
  expect(await page.evaluate(findTightLabels, BY_DESIGN)).toEqual([
    expect.stringContaining('cut: p “A heading'),
    expect.stringContaining('placeholder cut: “Order number'),
    expect.stringContaining('select cut: “Ready for'),
    expect.stringContaining('wraps: button.btn “Record'),
    expect.stringContaining('field pushed down: label “A label'),
  ])
})
