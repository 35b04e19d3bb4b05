import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/bn.ts'
import { translate } from '#lib/i18n/translate.ts'
import { launchFullBrowser, openPage } from './browser.ts'
import { button, fillCart, pick, writeDetails } from './checkout.ts'
import { admin, browser, database, shop, useDemoShop } from './demo-shop.ts'
import { openPos } from './pos-page.ts'
import { go, signIn } from './sign-in.ts'

// Large letters, long names, darkened pages, and what screen readers are told.

useDemoShop()

const t = translate('bn')

/** Sets the size of letters as a phone does, and waits for the new layout. */
const enlarge = (page: Page, size: string) =>
  page.evaluate(async (value) => {
    document.documentElement.style.fontSize = value
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  }, size)

/** How far the page can be pushed sideways, and the texts that are cut at their side. */
const cutOf = (page: Page, selector: string) =>
  page.evaluate((cards) => {
    const { scrollWidth, clientWidth } = document.documentElement
    const cut = [...document.querySelectorAll<HTMLElement>(cards)].filter((one) => one.scrollWidth > one.clientWidth + 1)
    return { sideways: Math.max(0, scrollWidth - clientWidth), cut: cut.map((one) => one.innerText) }
  }, selector)

const NOTHING = { sideways: 0, cut: [] }

test.each(['en', 'bn'] as const)('lists and the head of the page show prices and the name whole in large letters (%s)', async (lang) => {
  const { page } = await openPage(browser, { baseUrl: shop.url, lang })
  for (const path of ['/beef', '/fruits', '/kurbani']) {
    await go(page, path)
    for (const size of ['100%', '130%', '200%']) {
      await enlarge(page, size)
      expect(await cutOf(page, 'header a[href="/"] span, main article'), `${path} at ${size}`).toEqual(NOTHING)
    }
    // Two beside each other as long as a price fits.
    await enlarge(page, '100%')
    const [first, second] = await Promise.all([0, 1].map((at) => page.locator('main article').nth(at).boundingBox()))
    expect(second!.y).toBe(first!.y)
  }
})

test('the buttons of a quantity in a card can be pressed on a small phone', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url, lang: 'bn' })
  await go(page, '/fruits')
  await page.locator('main article .pack').nth(2).click()
  for (const width of [390, 360, 320]) {
    await page.setViewportSize({ width, height: 700 })
    const group = await page.locator('main article .stepper').boundingBox()
    // The quantity stands in one line.
    expect(group!.height, String(width)).toBeLessThan(50)
    for (const pressed of await page.locator('main article .stepper button').all()) {
      await pressed.scrollIntoViewIfNeeded()
      const box = await pressed.boundingBox()
      expect(box!.width).toBeGreaterThanOrEqual(24)
      expect(box!.x + box!.width, String(width)).toBeLessThanOrEqual(group!.x + group!.width)
    }
  }
})

test('the checkout can be used in letters of twice the size, and with a name without a space', async () => {
  const products = [await pick('produce'), await pick('cattle')]
  const name = 'শ্রীমঙ্গলেরপাহাড়িআনারস'.repeat(9).slice(0, 100)
  await database.query('update products set name_en = $1, name_bn = $1 where id = $2', [name, products[0]!.id])
  const { page } = await openPage(browser, { baseUrl: shop.url, lang: 'bn' })
  await fillCart(page, [{ ...products[0]!, product_type: name }, products[1]!])
  const fits = async (where: string) => {
    for (const size of ['100%', '200%']) {
      await enlarge(page, size)
      expect(await cutOf(page, 'main li'), `${where} at ${size}`).toEqual(NOTHING)
    }
  }
  await go(page, '/cart')
  await page.getByText(name).first().waitFor()
  await fits('cart')
  await button(page, t('cart.proceed')).click()
  await writeDetails(page)
  await fits('details')
  await button(page, t('checkout.proceed-to-preview')).click()
  await page.getByText(name).first().waitFor()
  await fits('preview')
  await go(page, `/product/${products[0]!.id}/reviews`)
  await fits('reviews')
})

test('the pages of an order stay as wide as a small phone in large letters, with a long email and a name without a space', async () => {
  const name = 'শ্রীমঙ্গলেরপাহাড়িআনারস'.repeat(9).slice(0, 100)
  const { rows } = await database.query<{ id: string; tracking_code: string }>(
    `select o.id, tracking_code from orders o join users u on u.id = o.customer_id where u.phone = '01811000002' order by o.id limit 1`,
  )
  const [order] = rows
  await database.query(`update users set email = 'mohammad.abdul.kader.jilani.chowdhury@customer.example' where phone = '01811000002'`)
  await database.query('update order_lines set name_en = $1, name_bn = $1 where order_id = $2', [name, order!.id])
  const { page } = await openPage(browser, { baseUrl: shop.url, lang: 'bn' })
  await page.setViewportSize({ width: 360, height: 640 })
  await signIn(page, '01811000002')
  for (const path of ['/account', '/account/profile', `/invoice/${order!.id}`, `/track/${order!.tracking_code}`]) {
    await go(page, path)
    for (const size of ['100%', '130%', '200%']) {
      await enlarge(page, size)
      expect(await cutOf(page, 'main :is(a span, li, dt, dd, td)'), `${path} at ${size}`).toEqual(NOTHING)
      const narrow = await page
        .locator('main :is([data-invoice] .contents > dd, a > span.min-w-0)')
        .evaluateAll((all) => all.filter((one) => one.clientWidth < 60).length)
      expect(narrow, `${path} at ${size}`).toBe(0)
    }
  }
})

test('a darkened page keeps tags, chosen filters and the step of the checkout legible', async () => {
  const darkening = await launchFullBrowser('--force-dark-mode', '--enable-features=WebContentsForceDark')
  try {
    const { page } = await openPage(darkening, { baseUrl: shop.url, lang: 'bn' })
    // The setting that makes a phone darken pages.
    await page.emulateMedia({ colorScheme: 'dark' })
    await go(page, '/beef')
    // The browser has darkened the page.
    expect(await contrastOf(await page.locator('main h1').screenshot())).toMatchObject({ isDark: true })
    // Thin letters have few pixels of their full color.
    await enlarge(page, '200%')
    for (const yellow of [page.locator('main .ear-tag').first(), page.locator('main nav [aria-current]').first()])
      expect((await contrastOf(await yellow.screenshot())).ratio).toBeGreaterThan(4.5)
  } finally {
    await darkening.close()
  }
})

/** The contrast between the most frequent color of a picture and the most frequent one that differs from it: its letters. */
async function contrastOf(picture: Buffer): Promise<{ ratio: number; isDark: boolean }> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const counts = new Map<number, number>()
  for (let at = 0; at < data.length; at += info.channels) {
    const value = Math.round(luminanceOf([data[at]!, data[at + 1]!, data[at + 2]!]) * 50) / 50
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  const byCount = [...counts].toSorted((one, other) => other[1] - one[1]).map(([value]) => value)
  const ground = byCount[0]!
  const letters = byCount.find((value) => ratioOf(ground, value) > 1.2) ?? ground
  return { ratio: ratioOf(ground, letters), isDark: ground < 0.1 }
}

const luminanceOf = (rgb: [number, number, number]) => {
  const [r, g, b] = rgb.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}

const ratioOf = (one: number, other: number) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)

test('screens of the admin stay as wide as the phone in letters of half again the size', async () => {
  const { page } = await admin('01711000001', { lang: 'en', width: 390 })
  for (const path of ['/admin', '/admin/products', '/admin/sms', '/admin/setup', '/admin/orders/create', '/admin/coupons/create']) {
    await go(page, path)
    await enlarge(page, '150%')
    expect((await cutOf(page, 'none')).sideways, path).toBe(0)
  }
})

test('the chart of a month stays as wide as a small phone', async () => {
  const { page } = await admin('01711000001', { lang: 'bn', width: 390 })
  await page.setViewportSize({ width: 320, height: 700 })
  await go(page, '/admin/reports?from=2026-11-01&to=2026-11-30')
  expect((await cutOf(page, 'none')).sideways).toBe(0)
})

test('a list of the admin stays as wide as the phone with a name of 200 letters', async () => {
  const { page } = await admin('01711000001', { lang: 'bn', width: 390 })
  await database.query(`update orders set name = repeat('মোহাম্মদআব্দুররহমান', 10)`)
  await database.query(`update users set name = repeat('মোহাম্মদআব্দুররহমান', 10) where role = 'customer'`)
  for (const path of ['/admin/orders', '/admin/payments', '/admin/customers', '/admin/advances/history', '/admin/held-animals']) {
    await go(page, path)
    expect((await cutOf(page, 'none')).sideways, path).toBe(0)
  }
})

test('titles of Bengali pages have Bengali digits', async () => {
  const { page } = await admin('01711000001', { lang: 'bn' })
  const [order] = (await database.query<{ id: string }>(`select id from orders order by id limit 1`)).rows
  for (const path of ['/admin/orders/update', '/admin/orders/invoice', '/admin/quick-orders/pos-invoice', '/invoice']) {
    await page.goto(`${path}/${order!.id}`)
    expect(await page.title(), path).toMatch(/[০-৯]{3}/)
  }
})

test('the POS tells screen readers each product that was added, and that nothing was found', async () => {
  const { page } = await admin('01711000004', { lang: 'bn' })
  await openPos(page)
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    const say = (node: Node | null) => {
      const element = node instanceof Element ? node : node?.parentElement
      const spoken = element?.closest('[role=status]') && !element.closest('[aria-hidden]') ? (element.textContent ?? '') : ''
      if (spoken !== '') heard.push(spoken)
    }
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes)
        if (type === 'characterData') say(target)
        else for (const node of addedNodes) say(node)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  const tile = page.locator('#quick-order section[aria-labelledby=pos-favourites] li button').first()
  const name = (await tile.locator('.font-semibold').textContent()) ?? ''
  const added = t('pos.camera-added', { name })
  // Of the network and the storage, other regions tell.
  const ofScans = [added, t('pos.nothing-found'), t('pos.searching'), t('pos.locked')]
  const heard = async () => {
    const all = await page.evaluate(() => (window as unknown as { heard: string[] }).heard.splice(0))
    return all.filter((text) => ofScans.includes(text))
  }
  await tile.click()
  await expect.poll(heard).toEqual([added])
  await tile.click()
  await expect.poll(heard).toEqual([added])
  await page.fill('#pos-search', name)
  await page.locator('#pos-found [role=option]').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(heard).toEqual([added])
  await page.fill('#pos-search', 'zzzz')
  await expect.poll(heard).toEqual([t('pos.nothing-found')])
})

test('a failure in a dialog is told inside of it, and the focus stays at its button', async () => {
  const { page, context, expectProblem } = await admin('01711000001', { lang: 'bn' })
  expectProblem(/ERR_FAILED|payments/)
  const [order] = (
    await database.query<{ id: string }>(
      `select id from orders where status = 'placed' and ledger_balance_poisha = 0 order by id desc limit 1`,
    )
  ).rows
  await go(page, `/admin/orders/update/${order!.id}`)
  await page.route(
    () => true,
    (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()),
  )
  await page.getByRole('button', { name: t('admin-orders.record-payment') }).click()
  const send = page.getByRole('dialog').getByRole('button', { name: t('admin-orders.record-payment') })
  await send.focus()
  await page.keyboard.press('Enter')
  const accessibility = await context.newCDPSession(page)
  const told = async () => {
    const { nodes } = await accessibility.send('Accessibility.getFullAXTree')
    return nodes.filter(({ ignored, role }) => !ignored && role?.value === 'StaticText').map(({ name }) => String(name?.value))
  }
  await expect.poll(told).toContain(t('admin.no-answer'))
  await expect.poll(() => send.evaluate((button) => button === document.activeElement)).toBe(true)
})

test('the labels of the bar at the bottom stay apart in letters of twice the size', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url, lang: 'bn' })
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto('/beef')
  await enlarge(page, '200%')
  const links = page.getByRole('navigation', { name: t('shell.phone-nav') }).getByRole('link')
  const edges = await links.evaluateAll((all) =>
    all.flatMap((link) => {
      const range = document.createRange()
      range.selectNodeContents(link)
      const { left, right } = range.getBoundingClientRect()
      return [left, right]
    }),
  )
  expect(edges).toHaveLength(10)
  expect(edges).toEqual(edges.toSorted((a, b) => a - b))
})
