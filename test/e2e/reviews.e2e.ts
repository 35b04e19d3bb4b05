import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { reviewPhoto } from '#features/reviews/testing/send-review.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { complaints } from './axe.ts'
import { openPage } from './browser.ts'
import { button } from './checkout.ts'
import { admin, browser, database, shop, useDemoShop } from './demo-shop.ts'
import { go, signIn } from './sign-in.ts'

useDemoShop()

// A buyer reviews what was delivered, staff publish and answer, and shoppers read both at the product.

const MANAGER = '01711000002'

/** A delivered order, and a product of it whose reviews are deleted. */
async function delivered(lang: Lang): Promise<{ id: number; key: string; product: number; name: string }> {
  const { rows } = await database.query(
    `select o.id, o.view_key as key, l.product_id as product, case when $1 = 'bn' then p.name_bn else p.name_en end as name
     from orders o join order_lines l on l.order_id = o.id join products p on p.id = l.product_id
     where o.status = 'delivered' order by o.id desc limit 1`,
    [lang],
  )
  await database.query('delete from reviews where product_id = $1', [rows[0].product])
  return rows[0] as { id: number; key: string; product: number; name: string }
}

test.each([
  ['en', 390],
  ['bn', 1280],
] as const)('a buyer reviews with a photo, and staff publish and answer (%s, %i px)', async (lang, width) => {
  const t = translate(lang)
  const order = await delivered(lang)
  const text = `Sweet, fresh and well packed. ${order.id}-${Date.now()}`
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url, lang, width })

  // Without a rating nothing is sent, and what was typed stays.
  await go(page, `/order/review/${order.id}?key=${order.key}`)
  const form = page.getByRole('form', { name: order.name })
  const body = form.locator('textarea')
  const photo = form.locator('input[type=file]')
  const removePhoto = form.getByRole('button', { name: t('review.remove-photo', { number: formatNumber(1, lang) }) })
  await body.fill(text)
  await button(form, t('review.send')).click()
  await form.getByText(t('review.choose-rating')).waitFor()
  expect(await body.inputValue()).toBe(text)

  // A file that is no picture is refused at the photos; the review is not lost.
  expectProblem(/422/)
  await form.getByRole('radio').nth(3).check({ force: true })
  await photo.setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') })
  await removePhoto.waitFor()
  await button(form, t('review.send')).click()
  await form.getByRole('alert').first().waitFor()
  await removePhoto.click()
  await photo.setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await reviewPhoto() })
  await removePhoto.waitFor()
  expect(await complaints(page)).toEqual([])
  await button(form, t('review.send')).click()
  await form.getByText(t('review.is-waiting')).waitFor()

  // After a reload the review is as it was saved, and the shop does not show it yet.
  await go(page, page.url())
  expect(await body.inputValue()).toBe(text)
  expect(await form.getByRole('radio').nth(3).isChecked()).toBe(true)
  expect(await form.locator('img[src^="/uploads/"]').count()).toBeGreaterThan(0)
  await go(page, `/product/${order.product}`)
  expect(await page.getByText(text).count()).toBe(0)

  const { page: staff } = await admin(MANAGER, { lang, width })
  await go(staff, '/admin/reviews')
  const row = staff.locator('tr, li').filter({ hasText: text }).first()
  await row.getByRole('button', { name: new RegExp(t('reviews.edit')) }).click()
  const dialog = staff.getByRole('dialog')
  await dialog.locator('select').selectOption('published')
  const answer = `Thank you, ${order.id}!`
  await dialog.getByLabel(t('reviews.answer')).fill(answer)
  await button(dialog, t('reviews.save')).click()
  await staff.getByText(t('reviews.saved')).waitFor()

  await go(page, `/product/${order.product}`)
  await page.getByText(text).first().waitFor()
  await page.getByText(answer).first().waitFor()
  // The server alone renders the stars: their styles must be in the page's sheet all the same.
  const stars = page.locator('main span[aria-hidden=true]', { hasText: '★★★★★' }).first()
  expect(await stars.evaluate((element) => getComputedStyle(element).color)).toBe('rgba(0, 0, 0, 0)')
  await go(page, `/product/${order.product}/reviews`)
  await page.getByText(text).waitFor()
  expect(await complaints(page)).toEqual([])

  // The buyer's own page has the answer, too.
  await go(page, `/order/review/${order.id}?key=${order.key}`)
  await page.getByText(answer).waitFor()
})

test('an order whose reviews are all published asks for none', async () => {
  const t = translate('en')
  const { rows } = await database.query<{ id: number }>(`select l.order_id::int as id from order_lines l
    left join reviews r on r.order_id = l.order_id and r.product_id = l.product_id and r.state = 'published'
    join orders o on o.id = l.order_id join users u on u.id = o.customer_id and u.phone = '01811000001'
    where o.status = 'completed' group by l.order_id having count(r.id) = count(*) order by l.order_id limit 1`)
  const { page } = await openPage(browser, { baseUrl: shop.url })
  await signIn(page, '01811000001')
  await go(page, `/order/review/${rows[0]!.id}`)
  await page.getByRole('heading', { name: t('review.yours') }).waitFor()
  expect([await page.title(), await page.getByText(t('review.intro')).count()]).toEqual([t('review.yours'), 0])
})
