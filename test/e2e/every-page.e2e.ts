import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Lang } from '#lib/i18n/lang.ts'
import { complaints } from './axe.ts'
import { openPage } from './browser.ts'
import { browser, shop, useDemoShop } from './demo-shop.ts'
import { pagesOf, PARTS } from './every-page.ts'
import { findFaintEdges } from './faint-edges.ts'
import { signIn } from './sign-in.ts'
import { BY_DESIGN, findTightLabels } from './tight-labels.ts'

useDemoShop()

let pages: Awaited<ReturnType<typeof pagesOf>>
beforeAll(async () => {
  pages = await pagesOf()
})

// Every type of page of the demo shop, in both languages at 1280 and 390 px: it hydrates without errors, fits the screen, its labels fit, and
// axe finds nothing (English at 390, Bengali at 1280 px), and the edges of its fields are seen.

const SIZES = { 390: { width: 390, height: 844 }, 1280: { width: 1280, height: 800 } }
type Width = keyof typeof SIZES

const wider = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** What does not fit. A page that is still laid out for its new width is looked at again. */
async function layoutProblems(page: Page): Promise<string[]> {
  const look = async () => {
    const overflow = await wider(page)
    return [...(await page.evaluate(findTightLabels, BY_DESIGN)), ...(overflow > 0 ? [`${overflow} px too wide`] : [])]
  }
  const found = await look()
  if (found.length === 0) return found
  await page.waitForTimeout(500)
  return look()
}

const eyesightProblems = async (page: Page) => [...(await complaints(page)), ...(await page.evaluate(findFaintEdges))]

/** The problems of a page at the width of its context, where axe runs, and at the other width. */
async function check(page: Page, path: string, width: Width): Promise<string[]> {
  await page.goto(path)
  await page.waitForFunction(() => window.pageAwake)
  await page.evaluate(() => document.fonts.ready)
  const found: string[] = []
  for (const size of [width, width === 390 ? 1280 : 390] as const) {
    await page.setViewportSize(SIZES[size])
    const problems = [...(await layoutProblems(page)), ...(size === width ? await eyesightProblems(page) : [])]
    found.push(...problems.map((problem) => `${path} ${size} px: ${problem}`))
  }
  await page.setViewportSize(SIZES[width])
  return found
}

describe.each<[Lang, Width]>([
  ['en', 390],
  ['bn', 1280],
])('%s', (lang, width) => {
  test.each(PARTS)('every page of: %s', async (part) => {
    const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url, lang, width })
    expectProblem(/\/nowhere/)
    const { account, paths } = pages[part]
    if (account) await signIn(page, account)
    const found: string[] = []
    for (const path of paths) found.push(...(await check(page, path, width)))
    expect(found).toEqual([])
  })
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
