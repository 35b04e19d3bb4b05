import { expect, test } from 'vitest'
import type { Lang } from '#lib/i18n/lang.ts'
import { browser, shop, useDemoShop } from './demo-shop.ts'
import { pagesOf } from './every-page.ts'
import { openPage } from './browser.ts'
import { signIn } from './sign-in.ts'
import { BY_DESIGN, findTightLabels } from './tight-labels.ts'

useDemoShop()

// Labels that are longer than their place: every type of page of the demo shop, at 390 and 1280 px, in both languages.

const HEIGHTS = { 1280: 800, 390: 844 }

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
