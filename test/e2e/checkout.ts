import type { Locator, Page } from 'playwright-core'
import '#messages/bn-account.ts'
import '#messages/en-account.ts'
import { CART_KEY } from '#features/cart/rules.ts'
import { cartItemOf, storedCart } from '#features/cart/stored-rules.ts'
import type { ProductJson } from '#features/catalog/types.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { database, shop } from './demo-shop.ts'

// What journeys through the checkout share.

/** Products that a test has taken, by shop: files of one worker share this module. */
const used = new Set<string>()
const usedKey = (id: number) => `${shop.databaseUrl} ${id}`

/** Categories by name. The second one has produce of all year, for months with few fruits. */
const CATEGORIES = { cattle: ['beef'], produce: ['Fruits', 'From the field'] }

async function listed(category: string, lang: Lang): Promise<ProductJson[]> {
  const answer = await fetch(`${shop.url}/api/products?category_name=${encodeURIComponent(category)}&lang=${lang}`)
  return ((await answer.json()) as { products: ProductJson[] }).products
}

/** Something on sale, without a discount, that no other test has touched. */
export async function pick(group: 'cattle' | 'produce', category = '', lang: Lang = 'en'): Promise<ProductJson> {
  for (const name of category ? [category] : CATEGORIES[group])
    for (const product of await listed(name, lang)) {
      if (product.status !== 'in-stock' || product.delivery_group !== group || product.discount !== null) continue
      if (used.has(usedKey(product.id))) continue
      used.add(usedKey(product.id))
      return product
    }
  if (group === 'produce') return addFruit(lang)
  throw new Error(`The demo shop has no more ${category || group}.`)
}

/** A fruit that the demo shop does not have: second tries take more than there are. */
async function addFruit(lang: Lang): Promise<ProductJson> {
  const { rows } = await database.query<{ id: string }>(
    `insert into products (category_id, name_en, name_bn, price_poisha, unit)
      select id, $1, $1, 12000, 'kg' from categories where name_en = $2 returning id`,
    [`Fruit ${used.size}`, CATEGORIES.produce[0]],
  )
  const answer = await fetch(`${shop.url}/api/products/${rows[0]!.id}?lang=${lang}`)
  const product = (await answer.json()) as ProductJson
  used.add(usedKey(product.id))
  return product
}

/** The cart of a browser that opens /cart for the first time. */
export async function fillCart(page: Page, products: ProductJson[]): Promise<void> {
  await page.addInitScript(
    ([key, text]) => {
      if (!location.pathname.startsWith('/cart') || sessionStorage.getItem('filled')) return
      sessionStorage.setItem('filled', 'yes')
      localStorage.setItem(key as string, text as string)
    },
    [CART_KEY, storedCart(products.map(cartItemOf))] as const,
  )
}

/** The first such button that is seen. */
export const button = (page: Page | Locator, name: string): Locator =>
  page.getByRole('button', { name, exact: true }).filter({ visible: true }).first()

export async function writeDetails(page: Page, phone = '০১৮১১-২২৩৩৪৪'): Promise<void> {
  await page.fill('#name', 'রহিমা খাতুন')
  await page.fill('#email', 'rahima@example.com')
  await page.fill('#phone', phone)
  await page.selectOption('#area_id', { index: 2 })
  await page.fill('#address', 'House 12, Road 7')
}

/** From a filled cart to the preview, with this way to pay chosen and the terms agreed. */
export async function toPreview(
  page: Page,
  lang: Lang,
  option: 'payment.full' | 'payment.cod' | 'payment.advance',
  phone?: string,
): Promise<void> {
  const t = translate(lang)
  await page.goto('/cart')
  await button(page, t('cart.proceed')).click()
  await writeDetails(page, phone)
  await button(page, t('checkout.proceed-to-preview')).click()
  await page.getByRole('radio', { name: t(option) }).check()
  await page.getByRole('checkbox').check()
}

export async function ordersOf(phone: string): Promise<{ id: number; total_poisha: string; payment_type: string }[]> {
  return (await database.query('select id, total_poisha, payment_type from orders where phone = $1 order by id', [phone])).rows
}

export const storedItems = (page: Page): Promise<unknown[]> =>
  page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? '[]'), CART_KEY)
