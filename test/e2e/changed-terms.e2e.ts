import { describe, expect, test } from 'vitest'
import type { ProductJson } from '#features/catalog/types.ts'
import { translate } from '#lib/i18n/translate.ts'
import { openPage } from './browser.ts'
import { button, fillCart, ordersOf, pick, storedItems, toPreview, writeDetails } from './checkout.ts'
import { browser, database, shop, useDemoShop } from './demo-shop.ts'
import { newPhone } from './new-phone.ts'

useDemoShop()

const t = translate('en')

/** The weekday of the first day on which an order of now can come. */
async function firstWeekday(): Promise<number> {
  const { rows } = await database.query(
    "select extract(dow from (now() at time zone 'Asia/Dhaka' + case when extract(hour from now() at time zone 'Asia/Dhaka') < 21 then interval '1 day' else interval '2 days' end))::int as day",
  )
  return (rows[0] as { day: number }).day
}

/** The details step of a customer with a coupon, and what ends the coupon. */
async function openDetailsWithCoupon() {
  const code = `LAST${newPhone()}`
  await database.query("insert into coupons (code, kind, value_poisha) values ($1, 'others', 1000)", [code])
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
  await fillCart(page, [await pick('produce')])
  await page.goto('/login?way=password&next=/cart')
  await page.fill('#identifier', '01811000001')
  await page.fill('#password', 'khamar-demo')
  await button(page.locator('main'), t('auth.sign-in')).click()
  await page.fill('#coupon', code)
  await button(page, t('coupon.apply')).click()
  await page.getByText(t('coupon.applied')).waitFor()
  await button(page, t('cart.proceed')).click()
  await page.getByRole('heading', { name: t('checkout.details-title') }).waitFor()
  const end = async () => {
    await database.query("update coupons set ends_at = now() - interval '1 hour' where code = $1", [code])
    expectProblem(/coupons\/validate|status of 400/)
  }
  return { page, end }
}

describe('changes of the shop during a purchase', () => {
  test('a higher price is shown, old and new, and must be accepted', async () => {
    const product = await pick('produce')
    const { page } = await openPage(browser, { baseUrl: shop.url })
    await fillCart(page, [product])
    await database.query('update products set price_poisha = price_poisha + 1000 where id = $1', [product.id])
    await page.goto('/cart')
    await page.getByText(t('cart.changed')).waitFor()
    await button(page, t('cart.proceed')).click()
    await page.getByText(t('cart.accept-warning')).filter({ visible: true }).waitFor()
    await page.getByRole('button', { name: t('cart.accept') }).click()
    expect(await storedItems(page)).toMatchObject([{ basePrice: product.price + 10 }])
    await button(page, t('cart.proceed')).click()
    await page.getByRole('heading', { name: t('checkout.details-title') }).waitFor()
  })

  test('a coupon that ends at the preview is explained there, beside the higher total', async () => {
    const { page, end } = await openDetailsWithCoupon()
    await button(page, t('checkout.proceed-to-preview')).click()
    await page.getByRole('heading', { name: t('checkout.preview-title') }).waitFor()
    await end()
    await page.reload()
    const note = page.getByRole('alert').filter({ hasText: t('coupon.removed') })
    expect(await note.textContent()).toBe(`${t('coupon.removed')} ${t('coupon.expired')}`)
    await button(page, t('checkout.back')).click()
    await page.getByRole('heading', { name: t('checkout.details-title') }).waitFor()
    expect(await note.count()).toBe(0)
  })

  test('a coupon that ended is explained in the details step, also where the answer comes before the step', async () => {
    const { page, end } = await openDetailsWithCoupon()
    await end()
    const answer = page.waitForResponse(/coupons\/validate/)
    await page.route(/later-steps/, async (route) => {
      await (await answer).finished()
      setTimeout(() => void route.continue(), 300)
    })
    await page.reload()
    const note = page.getByRole('alert').filter({ hasText: t('coupon.removed') })
    expect(await note.textContent()).toBe(`${t('coupon.removed')} ${t('coupon.expired')}`)
  })

  test('each higher price is accepted for its own line, a lower one is only noted, and the order goes through at the new prices', async () => {
    const phone = newPhone()
    const [dearer, alsoDearer, cheaper] = [await pick('produce'), await pick('produce'), await pick('produce')]
    const { page } = await openPage(browser, { baseUrl: shop.url })
    await fillCart(page, [dearer, alsoDearer, cheaper])
    await database.query('update products set price_poisha = price_poisha + 1000 where id = any($1)', [[dearer.id, alsoDearer.id]])
    await database.query('update products set price_poisha = price_poisha - 500 where id = $1', [cheaper.id])
    await page.goto('/cart')
    const line = (product: ProductJson) => page.locator(`#line-${product.id}`)
    const accept = (product: ProductJson) => button(line(product), `${t('cart.accept')}: ${product.product_type}`)
    await line(cheaper).getByText(t('cart.reduced')).waitFor()
    expect(await accept(cheaper).count()).toBe(0)
    await expect.poll(async () => (await storedItems(page))[2]).toMatchObject({ basePrice: cheaper.price - 5 })
    await accept(dearer).click()
    await accept(dearer).waitFor({ state: 'hidden' })
    expect(await storedItems(page)).toMatchObject([
      { basePrice: dearer.price + 10 },
      { basePrice: alsoDearer.price },
      { basePrice: cheaper.price - 5 },
    ])
    await button(page, t('cart.proceed')).click()
    await page.getByText(t('cart.accept-warning')).filter({ visible: true }).waitFor()
    await accept(alsoDearer).click()
    await button(page, t('cart.proceed')).click()
    await writeDetails(page, phone)
    await button(page, t('checkout.proceed-to-preview')).click()
    await page.getByText(`${cheaper.product_type}: ${t('cart.reduced')}`).waitFor()
    await page.getByRole('radio', { name: t('payment.cod') }).check()
    await page.getByRole('checkbox').check()
    await button(page, t('place.order')).click()
    await page.getByText(t('place.thanks-text')).waitFor()
    expect(await ordersOf(phone)).toHaveLength(1)
  })

  test('sizes that the amount no longer fits: the products stay in the cart, marked, until the amount is changed', async () => {
    const product = await pick('produce')
    const { page } = await openPage(browser, { baseUrl: shop.url })
    await fillCart(page, [product])
    await database.query('update products set sizes_milli = $2 where id = $1', [product.id, [17_000, 23_000]])
    await page.goto('/cart')
    const line = page.locator(`#line-${product.id}`)
    await line.getByText(/17, 23/).waitFor()
    await button(page, t('cart.proceed')).click()
    await page.getByText(t('cart.quantity-warning')).filter({ visible: true }).waitFor()
    await page.reload()
    await line.getByText(/17, 23/).waitFor()
    await line.getByRole('button', { name: t('cart.plus', { name: product.product_type }) }).click()
    expect(await storedItems(page)).toMatchObject([{ productId: product.id, quantity: 17 }])
    await button(page, t('cart.proceed')).click()
    await page.getByRole('heading', { name: t('checkout.details-title') }).waitFor()
  })

  test('a discount that ends is a changed price, and shows by itself', async () => {
    const product = await pick('produce')
    await database.query("update products set discount_kind = 'percentage', discount_value = 1000 where id = $1", [product.id])
    const { page } = await openPage(browser, { baseUrl: shop.url })
    await fillCart(page, [{ ...product, discount: 10, discount_type: 'percentage' }])
    await page.clock.install()
    await page.goto('/cart')
    await page.getByText('You save').first().waitFor()
    await database.query('update products set discount_kind = null, discount_value = null where id = $1', [product.id])
    await expect.poll(() => page.clock.runFor(10_000).then(() => page.getByText(t('cart.changed')).count())).toBe(1)
  })

  test('charges of product and area that rise before the order is sent: it is refused, the new sum stands there, and it goes through', async () => {
    const phone = newPhone()
    const product = await pick('produce')
    const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
    expectProblem(/customer-orders: 422|status of 422/)
    await fillCart(page, [product])
    await toPreview(page, 'en', 'payment.cod', phone)
    const total = () => page.getByText(t('summary.total'), { exact: true }).locator('xpath=following-sibling::*').first().textContent()
    const before = await total()
    await database.query("update area_charges set charge_poisha = charge_poisha + 7000 where delivery_group = 'produce'")
    await database.query('update products set shipping_poisha = shipping_poisha + 7000 where id = $1', [product.id])
    const dialog = page.getByRole('dialog')
    await button(page, t('place.order')).click()
    await dialog.getByText(/^The total is now/).waitFor()
    await button(dialog, t('place.ok')).click()
    await expect.poll(total).not.toBe(before)
    await expect.poll(() => storedItems(page)).toMatchObject([{ shippingCost: product.shipping_cost + 70 }])
    await button(page, t('place.order')).click()
    await page.getByText(t('place.thanks-text')).waitFor()
    expect(await ordersOf(phone)).toHaveLength(1)
  })
})

test('a day that the shop closes before the order is sent: it is refused, the next one stands there, and it goes through', async ({
  onTestFinished,
}) => {
  onTestFinished(async () => void (await database.query("delete from settings where key = 'delivery_days'")))
  const phone = newPhone()
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
  expectProblem(/customer-orders: 422|status of 422/)
  await fillCart(page, [await pick('produce')])
  await toPreview(page, 'en', 'payment.cod', phone)
  const dayOf = async () => /delivery on (\d+ \w+)/i.exec(await page.locator('main').innerText())?.[1]
  const before = await dayOf()
  expect(before).toBeDefined()
  await database.query(
    "insert into settings (key, value) values ('delivery_days', $1) on conflict (key) do update set value = excluded.value",
    [JSON.stringify({ ahead: 14, closed_weekdays: [await firstWeekday()], capacity: { cattle: 0, produce: 0 } })],
  )
  const dialog = page.getByRole('dialog')
  await button(page, t('place.order')).click()
  await dialog.getByText(/^This day is no longer possible/).waitFor()
  await button(dialog, t('place.ok')).click()
  await expect.poll(dayOf).not.toBe(before)
  const shown = await dayOf()
  await button(page, t('place.order')).click()
  await page.getByText(t('place.thanks-text')).waitFor()
  const { rows } = await database.query("select to_char(deliver_on, 'FMDD FMMonth') as day from orders where phone = $1", [phone])
  expect(rows).toEqual([{ day: shown }])
})

test('a collection that the shop withdraws before the order is sent: it is refused, the delivery stands there, and it goes through', async () => {
  const phone = newPhone()
  const offer = (is_offered: boolean) =>
    database.query("insert into settings (key, value) values ('collection', $1) on conflict (key) do update set value = excluded.value", [
      JSON.stringify({ is_offered, address: { en: 'Gate', bn: 'গেট' }, note: { en: '', bn: '' } }),
    ])
  await offer(true)
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
  expectProblem(/customer-orders: 422|status of 422/)
  await fillCart(page, [await pick('produce')])
  await page.goto('/cart')
  await button(page, t('cart.proceed')).click()
  await page.getByRole('radio', { name: t('delivery.collect') }).check()
  for (const [id, value] of [
    ['name', 'Rahima'],
    ['email', 'rahima@example.com'],
    ['phone', phone],
  ])
    await page.fill(`#${id}`, value!)
  await button(page, t('checkout.proceed-to-preview')).click()
  await page.getByRole('radio', { name: t('payment.cod') }).check()
  await page.getByRole('checkbox').check()
  await offer(false)
  await button(page, t('place.order')).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(t('refusal.no-collection')).waitFor()
  await button(dialog, t('place.ok')).click()
  expect(await page.getByRole('radio', { name: t('delivery.collect') }).count()).toBe(0)
  await writeDetails(page, phone)
  await button(page, t('checkout.proceed-to-preview')).click()
  await button(page, t('place.order')).click()
  await page.getByText(t('place.thanks-text')).waitFor()
  expect(await ordersOf(phone)).toHaveLength(1)
})

test('the notice of the evening says the hour that the settings say', async () => {
  await database.query(
    "insert into settings (key, value) values ('cutoff_hour', '18') on conflict (key) do update set value = excluded.value",
  )
  const { page } = await openPage(browser, { baseUrl: shop.url })
  await fillCart(page, [await pick('produce')])
  await page.goto('/cart')
  await page.getByText('সন্ধ্যা ৬টার পর করা অর্ডার পরের দিনের তালিকায় গণনা করা হয় না।').waitFor()
})
