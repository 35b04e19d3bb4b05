import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import '#messages/bn-account.ts'
import '#messages/en-account.ts'
import { CART_KEY } from '#features/cart/rules.ts'
import { cartItemOf, storedCart } from '#features/cart/stored-rules.ts'
import type { ProductJson } from '#features/catalog/types.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { complaints } from './axe.ts'
import { openPage } from './browser.ts'
import { browser, database, shop, useDemoShop } from './demo-shop.ts'

useDemoShop()

// A customer who is signed in: address book, coupons, and orders with both.

const FARHANA = '01811000001'
const SELIM = '01811000002'
const button = (page: Page | Locator, name: string | RegExp): Locator =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .filter({ visible: true })
    .first()

const fruits = (lang: Lang) => onSale(`category_name=Fruits&lang=${lang}`)

async function onSale(query: string): Promise<ProductJson[]> {
  const answer = await fetch(`${shop.url}/api/products?${query}`)
  const { products } = (await answer.json()) as { products: ProductJson[] }
  return products.filter((product) => product.status === 'in-stock')
}

/** The products that a coupon names. */
async function productsOf(code: string, lang: Lang): Promise<ProductJson[]> {
  const { rows } = await database.query(
    'select p.product_id::int as id from coupon_products p join coupons c on c.id = p.coupon_id where c.code = $1',
    [code],
  )
  return (await fruits(lang)).filter(({ id }) => rows.some((row) => row.id === id))
}

/** Something from the field: no fruit, no sugarcane. */
const fromTheField = async () => (await onSale('category_name=From%20the%20field'))[0]!

const storeCart = (page: Page, text: string) => page.evaluate(([key, value]) => localStorage.setItem(key, value), [CART_KEY, text] as const)

/** Signs in by the form with these products in the cart, and opens the cart. */
async function signIn(page: Page, phone: string, goods: ProductJson[], lang: Lang): Promise<void> {
  await page.goto('/login?way=password&next=/cart')
  // Ten units, where the sizes allow it: enough for the minimum of every coupon.
  await storeCart(page, storedCart(goods.map((product) => cartItemOf(product, 10_000))))
  await page.fill('#identifier', phone)
  await page.fill('#password', 'khamar-demo')
  await button(page.locator('main'), translate(lang)('auth.sign-in')).click()
  await page.waitForURL('**/cart')
  await page.locator('#coupon').waitFor()
}

async function useCoupon(page: Page, code: string, lang: Lang): Promise<void> {
  await page.fill('#coupon', code)
  await button(page, translate(lang)('coupon.apply')).click()
}

async function lastOrder(phone: string) {
  const { rows } = await database.query(
    `select o.id, o.address, o.payment_type, o.discount_poisha::int, o.shipping_poisha::int, u.code from orders o join users c on c.id = o.customer_id
     left join coupon_uses u on u.order_id = o.id where c.phone = $1 order by o.id desc limit 1`,
    [phone],
  )
  return rows[0] as {
    id: string
    address: string
    payment_type: string
    discount_poisha: number
    shipping_poisha: number
    code: string | null
  }
}

describe('with a saved address and a coupon, on a phone in Bengali', () => {
  const lang = 'bn'
  const t = translate(lang)

  test('two addresses, each kind of coupon, paid on delivery', async () => {
    const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url, lang })
    await signIn(page, FARHANA, await productsOf('FRUIT20', lang), lang)

    expectProblem(/coupons\/validate|status of 400/)
    await useCoupon(page, 'nabanno', lang)
    await page.getByText(t('coupon.expired')).waitFor()
    expect(await complaints(page), 'a coupon that is over').toEqual([])
    for (const [code, gift] of [
      ['FRUIT20', /20|২০/],
      ['taka100', /100|১০০/],
      ['FREEDEL', new RegExp(t('coupon.gives-delivery'))],
      [' eid 10 ', /500|৫০০/],
    ] as const) {
      await useCoupon(page, code, lang)
      await page.getByText(t('coupon.applied')).waitFor()
      await page
        .getByRole('region', { name: t('coupon.title') })
        .getByText(gift)
        .first()
        .waitFor()
      expect(await button(page, t('coupon.apply')).isDisabled()).toBe(true)
    }
    expect(await complaints(page), 'a coupon').toEqual([])
    // Stored over a reload, and checked again.
    await page.reload()
    await page.getByText(t('coupon.applied')).waitFor()

    await button(page, t('cart.proceed')).click()
    await page.getByRole('heading', { name: t('address.saved') }).waitFor()
    expect(await complaints(page), 'the saved address').toEqual([])
    await button(page, t('address.add')).click()
    const panel = page.getByRole('dialog', { name: t('address.add-new') })
    await button(panel, t('address.save')).click()
    await panel.getByText(t('details.area-required'), { exact: true }).waitFor()
    expect(await complaints(page), 'a new address with errors').toEqual([])
    await panel.locator('[name=name]').fill('Office')
    await panel.locator('[name=area_id]').selectOption({ index: 4 })
    await panel.locator('[name=address]').fill('Gulshan Avenue 5')
    await button(panel, t('address.save')).click()
    await page.getByText(t('address.added')).waitFor()
    await page.locator('main').getByText('Gulshan Avenue 5').waitFor()

    await button(page, t('address.change')).click()
    const book = page.getByRole('dialog', { name: t('address.book') })
    await book.getByText('House 12, Road 7A').first().waitFor()
    expect(await complaints(page), 'the address book').toEqual([])
    await book.getByRole('button', { name: t('address.choose-of', { name: 'Farhana Rahman', address: 'House 12, Road 7A' }) }).click()
    await page.getByText(t('address.chosen')).waitFor()

    await button(page, t('checkout.proceed-to-preview')).click()
    await page.getByText('House 12, Road 7A').first().waitFor()
    await page.getByRole('radio', { name: t('payment.cod') }).check()
    await page.getByRole('checkbox').check()
    expect(await complaints(page), 'the preview').toEqual([])
    await button(page, t('place.order')).click()
    await page.getByRole('link', { name: t('place.ok'), exact: true }).click()
    await page.waitForURL(/\/invoice\/\d+/)
    await page.getByText(t('invoice.coupon', { code: 'EID10' })).waitFor()
    expect(await complaints(page), 'the invoice').toEqual([])
    expect(await lastOrder(FARHANA)).toMatchObject({ address: 'House 12, Road 7A', code: 'EID10', payment_type: 'cash_on_delivery' })
  })
})

describe('other ways', () => {
  const lang = 'en'
  const t = translate(lang)

  test('no saved address: a new one is saved, and paid in full; edited and deleted afterwards', async () => {
    // What an earlier try of this test has left.
    await database.query('delete from addresses a using users u where u.id = a.customer_id and u.phone = $1', [SELIM])
    const { page } = await openPage(browser, { baseUrl: shop.url })
    const [fruit] = await fruits(lang)
    await signIn(page, SELIM, [fruit!], lang)
    await button(page, t('cart.proceed')).click()
    await page.selectOption('#area_id', { index: 2 })
    await page.fill('#address', 'Section 10')
    expect(await complaints(page), 'writing the first address').toEqual([])
    await button(page, t('checkout.proceed-to-preview')).click()
    await page.getByRole('radio', { name: t('payment.full') }).check()
    await page.getByRole('checkbox').check()
    await button(page, t('place.order')).click()
    await page.waitForURL(/demo-gateway/)
    expect(await lastOrder(SELIM)).toMatchObject({ address: 'Section 10', payment_type: 'full' })

    await page.goto('/cart')
    await storeCart(page, storedCart([cartItemOf(fruit!)]))
    await page.goto('/cart#details')
    await page.reload()
    await page.locator('main').getByText('Section 10').waitFor()
    await button(page, /^Edit /).click()
    const form = page.getByRole('dialog', { name: t('address.edit-title') })
    await form.locator('[name=address]').fill('Section 11')
    await button(form, t('address.save')).click()
    await page.getByText(t('address.updated')).waitFor()
    // The dialog closes after the message: its box still holds the same words.
    await form.waitFor({ state: 'detached' })
    await page.locator('main').getByText('Section 11').waitFor()
    await button(page, t('address.change')).click()
    const book = page.getByRole('dialog', { name: t('address.book') })
    await button(book, /^Delete /).click()
    await button(page.getByRole('dialog', { name: t('address.delete-title') }), t('address.delete')).click()
    // With the last address the book is empty again, and the form is back.
    await page.getByText(t('address.deleted')).first().waitFor()
    await page.locator('#address').waitFor()
    expect(await page.evaluate(() => localStorage.getItem('selectedAddress'))).toBeNull()
  })

  test('an address that is being typed outlives Escape, Back and a question; nobody finds it after signing out', async () => {
    const { page } = await openPage(browser, { baseUrl: shop.url })
    await signIn(page, FARHANA, [(await fruits(lang))[0]!], lang)
    await page.goto('/cart#details')
    await page.reload()
    const typed = page.getByRole('dialog', { name: t('address.add-new') }).locator('[name=address]')
    await button(page, t('address.add')).click()
    await typed.fill('Half an address')
    await page.keyboard.press('Escape')
    await button(page, t('address.add')).click()
    expect(await typed.inputValue()).toBe('Half an address')
    await page.reload()
    await button(page, t('address.add')).click()
    expect(await typed.inputValue()).toBe('Half an address')
    await page.keyboard.press('Escape')

    // A question within the panel closes alone.
    await button(page, t('address.change')).click()
    const book = page.getByRole('dialog', { name: t('address.book') })
    await button(book, /^Delete /).click()
    const question = page.getByRole('dialog', { name: t('address.delete-title') })
    await button(question, t('address.keep')).click()
    await question.waitFor({ state: 'hidden' })
    expect(await book.isVisible()).toBe(true)
    await page.keyboard.press('Escape')

    await page.goto('/fruits')
    await Promise.all([page.waitForEvent('load'), button(page.locator('footer'), t('shell.logout')).click()])
    await page.goto('/cart#details')
    await page.reload()
    await page.locator('#name').waitFor()
    for (const field of ['#name', '#email', '#phone', '#address']) expect(await page.inputValue(field)).toBe('')
  })

  test('a part with free delivery, and a coupon that ends with its products', async () => {
    const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
    const [mango] = await fruits(lang)
    const field = await fromTheField()
    expectProblem(/coupons\/validate|status of 400/)
    await signIn(page, FARHANA, [mango!, field], lang)
    await useCoupon(page, 'FREEDEL', lang)
    await page.getByText(t('coupon.applied')).waitFor()
    await page.getByRole('button', { name: t('cart.remove-of', { name: mango!.product_type }) }).click()
    await page.getByText(t('coupon.not-applicable')).waitFor()
    await page.waitForFunction((text) => document.activeElement?.textContent === text, t('cart.undo'))
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.id.startsWith('line-'))
    await useCoupon(page, 'FREEDEL', lang)
    await page.getByText(t('coupon.applied')).waitFor()
    await button(page, t('cart.proceed')).click()
    await button(page, t('checkout.proceed-to-preview')).click()
    await page.getByRole('radio', { name: t('payment.partial') }).check()
    await page.fill('#part', '200')
    await page.getByRole('checkbox').check()
    await button(page, t('place.order')).click()
    await page.waitForURL(/demo-gateway/)
    expect(await lastOrder(FARHANA)).toMatchObject({ code: 'FREEDEL', shipping_poisha: 0, payment_type: 'partial' })
  })

  test('a coupon that changes nothing says so instead of success, and is not used up', async () => {
    const { page } = await openPage(browser, { baseUrl: shop.url })
    const goods = (await fruits(lang)).at(-1)!
    const { rows } = await database.query(
      "update products set discount_kind = 'percentage', discount_value = 3000 where id = $1 returning price_poisha",
      [goods.id],
    )
    expect(rows).toHaveLength(1)
    await signIn(page, FARHANA, [{ ...goods, discount: 30, discount_type: 'percentage' }], lang)
    const total = () => page.getByText(t('summary.total'), { exact: true }).locator('xpath=following-sibling::*').first().textContent()
    const before = await total()
    await useCoupon(page, 'EID10', lang)
    await page.getByRole('status').getByText(t('coupon.discounts-better')).waitFor()
    expect(await page.getByText(t('coupon.applied')).count()).toBe(0)
    expect(await total()).toBe(before)
    expect(await complaints(page)).toEqual([])
    await button(page, t('cart.proceed')).click()
    await button(page, t('checkout.proceed-to-preview')).click()
    await page.getByText(t('coupon.discounts-better')).waitFor()
    await page.getByRole('radio', { name: t('payment.cod') }).check()
    await page.getByRole('checkbox').check()
    await button(page, t('place.order')).click()
    await page.getByText(t('place.thanks-text')).waitFor()
    expect((await lastOrder(FARHANA)).code).toBeNull()
  })

  test('a guest is asked to sign in, and the coupon is there afterwards', async () => {
    const { page } = await openPage(browser, { baseUrl: shop.url })
    const [fruit] = await fruits(lang)
    await page.goto('/cart')
    await storeCart(page, storedCart([cartItemOf(fruit!)]))
    await page.reload()
    await page.locator('#coupon').waitFor()
    expect(await button(page, t('coupon.apply')).isDisabled()).toBe(true)
    await useCoupon(page, 'EID10', lang)
    const dialog = page.getByRole('dialog', { name: t('coupon.login-title') })
    await dialog.getByText(t('coupon.login-text')).waitFor()
    await button(dialog, t('coupon.ok')).click()
    await page.waitForURL('**/login?next=/cart')
    await page.getByRole('link', { name: t('auth.with-password') }).click()
    await page.fill('#identifier', FARHANA)
    await page.fill('#password', 'khamar-demo')
    await button(page.locator('main'), t('auth.sign-in')).click()
    await page.waitForURL('**/cart')
    await page.getByText(t('coupon.applied')).waitFor()
  })
})
