import { expect, test } from 'vitest'
import type { Lang } from '#lib/i18n/lang.ts'
import { openPage } from './browser.ts'
import { browser, database, shop, useDemoShop } from './demo-shop.ts'
import { signIn } from './sign-in.ts'

useDemoShop()

test.each<Lang>(['en', 'bn'])(
  'the values of an invoice are in one column on a phone, and its signatures within its totals (%s)',
  async (lang) => {
    const { rows } = await database.query<{ id: number }>("select id::int from orders where status = 'processing' order by id limit 1")
    const { page } = await openPage(browser, { baseUrl: shop.url, lang })
    await signIn(page, '01711000001')
    await page.goto(`/admin/orders/invoice/${rows[0]!.id}`)
    const invoice = page.locator('[data-invoice]').first()
    const found = await invoice.evaluate((element) => {
      const { right } = element.querySelector('table')!.getBoundingClientRect()
      const values = [...element.querySelectorAll('dl dd')].map((value) => Math.round(value.getBoundingClientRect().left))
      const beyond = [...element.querySelectorAll('footer *')].filter((one) => one.getBoundingClientRect().right > right + 1)
      return { columns: [...new Set(values.slice(0, 6))], beyond: beyond.map(({ textContent }) => textContent) }
    })
    expect(found).toEqual({ columns: [expect.any(Number)], beyond: [] })
  },
)
