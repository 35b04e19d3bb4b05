import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Lang } from '#lib/i18n/lang.ts'
import { complaints } from './axe.ts'
import { openPage } from './browser.ts'
import { browser, shop, useDemoShop } from './demo-shop.ts'
import { pagesOf } from './every-page.ts'
import { signIn } from './sign-in.ts'
import { BY_DESIGN, findTightLabels } from './tight-labels.ts'

useDemoShop()

// Every type of page of the demo shop: in both languages labels fit at 1280 and 390 px, and axe finds nothing (English on a phone,
// Bengali at 1280 px).

interface Checks {
  lang: Lang
  width: 390 | 1280
  axe: boolean
  labels: boolean
}

async function check(page: Page, path: string, { axe, labels }: Checks): Promise<string[]> {
  await page.goto(path)
  await page.waitForFunction(() => window.pageAwake)
  const found = axe ? await complaints(page) : []
  if (!labels) return found
  await page.evaluate(() => document.fonts.ready)
  found.push(...(await page.evaluate(findTightLabels, BY_DESIGN)))
  await page.setViewportSize({ width: 390, height: 844 })
  found.push(...(await page.evaluate(findTightLabels, BY_DESIGN)).map((label) => `390 px: ${label}`))
  await page.setViewportSize({ width: 1280, height: 800 })
  return found
}

test.each<Checks>([
  { lang: 'en', width: 1280, axe: false, labels: true },
  { lang: 'en', width: 390, axe: true, labels: false },
  { lang: 'bn', width: 1280, axe: true, labels: true },
])('every page: %o', async (checks) => {
  const { lang, width } = checks
  const found: string[] = []
  for (const [identifier, paths] of await pagesOf()) {
    const { page } = await openPage(browser, { baseUrl: shop.url, lang, width })
    if (identifier) await signIn(page, identifier)
    for (const path of paths) found.push(...(await check(page, path, checks)).map((text) => `${path} ${text}`))
  }
  expect(found).toEqual([])
})

test('the label check finds what is cut, what wraps and what is pushed down', async () => {
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
