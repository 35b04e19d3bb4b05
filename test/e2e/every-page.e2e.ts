import { expect, test } from 'vitest'
import type { Lang } from '#lib/i18n/lang.ts'
import { complaints } from './axe.ts'
import { openPage } from './browser.ts'
import { browser, shop, useDemoShop } from './demo-shop.ts'
import { pagesOf } from './every-page.ts'
import { signIn } from './sign-in.ts'

useDemoShop()

test.each<[Lang, 390 | 1280]>([
  ['en', 390],
  ['bn', 1280],
])('every page is open to everybody: %s, %i px', async (lang, width) => {
  const found: string[] = []
  for (const [identifier, paths] of await pagesOf()) {
    const { page } = await openPage(browser, { baseUrl: shop.url, lang, width })
    if (identifier) await signIn(page, identifier)
    for (const path of paths) {
      await page.goto(path)
      await page.waitForFunction(() => window.pageAwake)
      found.push(...(await complaints(page)).map((complaint) => `${path} ${complaint}`))
    }
  }
  expect(found).toEqual([])
})
