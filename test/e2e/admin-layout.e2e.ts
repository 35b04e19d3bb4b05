import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { formatTaka, type Poisha } from '#lib/format/money.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { complaints } from './axe.ts'
import { admin, database, useDemoShop } from './demo-shop.ts'
import { editSection, endOrder } from './order-page.ts'
import { go } from './sign-in.ts'

useDemoShop()

// Where things stand in the admin, and what is still said on the next page.

const OWNER = '01711000001'
const MANAGER = '01711000002'
const [SALES, WEIGHER] = ['01711000003', '01711000005']
const t = translate('en')
const one = async <Row>(statement: string, values: unknown[] = []) => (await database.query(statement, values)).rows[0] as Row
const orderIn = async (status: string) =>
  (await one<{ id: number }>('select id::int from orders where status = $1 order by id limit 1', [status])).id
const topOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => element.getBoundingClientRect().top)

test('print views lead back: the invoice and the receipt of an order to the order, many invoices to the filtered list', async () => {
  const id = await orderIn('processing')
  for (const who of [MANAGER, SALES]) {
    const { page } = await admin(who)
    for (const path of [
      `/admin/orders/invoice/${id}`,
      `/admin/orders/single_invoice/${id}`,
      `/admin/quick-orders/pos-invoice/${id}?from=order`,
    ]) {
      await go(page, path)
      const back = page.getByRole('link', { name: t('print.back-order', { id: String(id) }), exact: true })
      expect(await back.getAttribute('href'), path).toBe(`/admin/orders/update/${id}`)
      expect(await page.getByRole('link', { name: t('pos.back'), exact: true }).count(), path).toBe(0)
    }
  }
  const { page } = await admin(MANAGER)
  // A receipt printed after a sale leads on to the next sale.
  await go(page, `/admin/quick-orders/pos-invoice/${id}`)
  await page.getByRole('link', { name: t('pos.back'), exact: true }).waitFor()
  await go(page, '/admin/orders?status=processing')
  await go(page, `/admin/orders/invoices?ids=${id}`)
  const toList = page.getByRole('link', { name: t('print.back-orders'), exact: true })
  await expect.poll(() => toList.getAttribute('href')).toBe('/admin/orders?status=processing')
  const goods = await one<{ id: number }>('select id::int from products where not is_unique order by id limit 1')
  await go(page, `/admin/labels?ids=${goods.id}`)
  await page
    .getByRole('banner')
    .getByRole('link', { name: t('labels.to-products'), exact: true })
    .waitFor()
})

test('what is saved or deleted is confirmed on the list that opens next, once', async () => {
  const { page } = await admin(OWNER)
  const said = page.locator('main ~ * [role=status], [role=status]').filter({ hasText: t('admin.saved') })
  await go(page, '/admin/areas/create')
  await page.getByLabel(t('areas.name-en')).fill('Carried')
  await page.getByLabel(t('areas.name-bn')).fill('বহন')
  await page.getByRole('button', { name: t('admin.save'), exact: true }).click()
  await page.waitForURL('**/admin/areas')
  await said.first().waitFor()
  await page.reload()
  await page.waitForFunction(() => window.pageAwake)
  expect(await said.count()).toBe(0)
  const slot = await one<{ id: number }>("insert into slots (name_en, name_bn) values ('Carried', 'বহন') returning id")
  await go(page, `/admin/slots/${slot.id}`)
  await page.getByRole('button', { name: t('admin.delete'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('admin.delete'), exact: true })
    .click()
  await page.waitForURL('**/admin/slots')
  await page.getByText(t('admin.deleted'), { exact: true }).waitFor()
})

test.each<Lang>(['en', 'bn'])('at 1280 by 800 the menu fits and filters keep the list where it is: %s', async (lang) => {
  const { page } = await admin(OWNER, { lang })
  for (const [plain, filtered] of [
    ['/admin/orders', '/admin/orders?q=a&due=yes'],
    ['/admin/products', '/admin/products?q=m&status=in-stock'],
    ['/admin/customers', '/admin/customers?q=a'],
  ] as const) {
    await go(page, plain)
    expect(await page.locator('.admin-sidebar nav').evaluate((menu) => menu.scrollHeight - menu.clientHeight)).toBe(0)
    const before = await topOf(page, 'main .admin-card')
    await go(page, filtered)
    expect(await topOf(page, 'main .admin-card'), filtered).toBeLessThanOrEqual(before + 1)
  }
})

test('the menu opens at the page it is on; floor staff see no pages that they have no work on, and may still open them', async () => {
  const { page } = await admin(WEIGHER)
  await go(page, '/admin')
  const links = () => page.locator('.admin-sidebar nav a').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  const seen = await links()
  expect(seen).toContain('/admin/weigh-ins')
  for (const path of ['/admin/slots', '/admin/popups', '/admin/coupons', '/admin/texts']) expect(seen).not.toContain(path)
  await go(page, '/admin/slots')
  const owner = await admin(OWNER)
  const current = owner.page.locator('.admin-sidebar a[aria-current=page]')
  const isInSight = () =>
    current.evaluate((link) => {
      const [box, menu] = [link.getBoundingClientRect(), link.closest('nav')!.getBoundingClientRect()]
      return link.checkVisibility() && box.top >= menu.top - 1 && box.bottom <= menu.bottom + 1
    })
  for (const path of ['/admin/staff', '/admin/settings', '/admin/audit']) {
    await go(owner.page, path)
    expect(await current.getAttribute('href')).toBe(path)
    await expect.poll(isInSight).toBe(true)
    expect(await owner.page.evaluate(() => scrollY), path).toBe(0)
  }
})

test('an order shows products, payments and address in one view; its fields open in place with the help text below them', async () => {
  const id = await orderIn('processing')
  for (const width of [1280, 390] as const) {
    const { page } = await admin(MANAGER, { width })
    await go(page, `/admin/orders/update/${id}`)
    const tops = await Promise.all(['.order-item', '[data-due]', '#order-details'].map((place) => topOf(page, place)))
    expect(tops).toEqual(width === 390 ? tops.toSorted((a, b) => a - b) : tops)
    if (width === 1280) for (const top of tops) expect(top).toBeLessThan(800)
    await editSection(page, 'lines')
    await editSection(page, 'details')
    const above = await page.locator('main [id$="-hint"]').evaluateAll((hints) =>
      hints.flatMap((hint) => {
        const field = document.querySelector(`[aria-describedby~="${hint.id}"]`)
        return field && field.getBoundingClientRect().bottom > hint.getBoundingClientRect().top + 1 ? [hint.textContent] : []
      }),
    )
    expect(above).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
})

test('cancelling an order asks for the reason and names the money on it', async () => {
  const { page } = await admin(MANAGER)
  const paid = await one<{ id: number; paid: number }>(
    `select o.id::int, amount_received(o)::int as paid from orders o where status in ('placed', 'processing')
      and exists (select 1 from ledger_entries l where l.order_id = o.id and l.kind = 'advance') order by id limit 1`,
  )
  const statusOf = async (id: number) => (await one<{ status: string }>('select status from orders where id = $1', [id])).status
  const before = await statusOf(paid.id)
  await go(page, `/admin/orders/update/${paid.id}`)
  await endOrder(page, 'cancelled', 'Bought elsewhere')
  const dialog = page.getByRole('dialog', { name: t('admin-orders.cancel-title', { id: String(paid.id) }) })
  await dialog.getByText(t('admin-orders.cancel-paid', { amount: formatTaka(paid.paid as Poisha, 'en') })).waitFor()
  await dialog.getByRole('button', { name: t('admin.cancel'), exact: true }).click()
  expect(await statusOf(paid.id)).toBe(before)
  await endOrder(page, 'cancelled', '')
  await dialog.getByRole('button', { name: t('admin-orders.cancel-go'), exact: true }).click()
  await dialog.getByText(t('admin-orders.reason-required')).waitFor()
  await dialog.getByLabel(t('admin-orders.reason')).fill('Bought elsewhere')
  await dialog.getByRole('button', { name: t('admin-orders.cancel-go'), exact: true }).click()
  await expect.poll(() => statusOf(paid.id)).toBe('cancelled')
  await page.locator('[data-status=cancelled]').waitFor()
  // A manager may reopen it.
  await page.getByRole('button', { name: t('admin-orders.more'), exact: true }).click()
  await page.getByRole('button', { name: t('admin-orders.step.reopen') }).click()
  await expect.poll(() => statusOf(paid.id)).toBe('placed')
})

test('j and k move the focus to the row, and every column has a head', async () => {
  const { page } = await admin(MANAGER)
  await go(page, '/admin/orders')
  const focused = () =>
    page.evaluate(() => document.activeElement?.matches('td.lead a') && document.activeElement.closest('tr')?.sectionRowIndex)
  await page.keyboard.press('j')
  await expect.poll(focused).toBe(0)
  await page.keyboard.press('j')
  await expect.poll(focused).toBe(1)
  await page.keyboard.press('k')
  await expect.poll(focused).toBe(0)
  await database.query(
    `insert into kurbani_bookings (name, phone, price_range) values ('Karim', '01711222333', '৬০,০০০-৮০,০০০ টাকা'), ('Rahim', '01711222334', '৬০,০০০-৮০,০০০ টাকা')`,
  )
  for (const path of ['/admin/sms', '/admin/bookings', '/admin/advances', '/admin/audit']) {
    await go(page, path)
    expect(await complaints(page), path).toEqual([])
    expect(
      await page
        .locator('thead th')
        .evaluateAll((heads) => heads.filter((head) => !head.textContent?.trim() && !head.querySelector('input')).length),
    ).toBe(0)
  }
})

test('the activity log names records and fields, and shows no raw keys or times', async () => {
  const { page } = await admin(OWNER)
  await go(page, '/admin/categories')
  await page.evaluate(async () => {
    const token = document.querySelector<HTMLMetaElement>('meta[name=csrf-token]')!.content
    const list = (await (await fetch('/api/admin/categories')).json()) as { id: number }[]
    const order = list.toReversed().map(({ id }, index) => ({ id, priority: index + 1 }))
    await fetch('/api/admin/categories/reorder', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': token },
      body: JSON.stringify({ order }),
    })
  })
  const booking = await one<{ id: number; version: number }>('select id::int, version from kurbani_bookings order by id desc limit 1')
  await page.evaluate(async ({ id, version }) => {
    const token = document.querySelector<HTMLMetaElement>('meta[name=csrf-token]')!.content
    await fetch(`/admin/bookings/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': token },
      body: JSON.stringify({ state: 'called', note: '', version }),
    })
  }, booking)
  for (const lang of ['en', 'bn']) {
    await go(page, `/admin/audit?lang=${lang}`)
    await page.locator('tbody summary').evaluateAll((all) => all.forEach((one) => one.parentElement!.setAttribute('open', '')))
    const text = await page.locator('tbody').innerText()
    expect(text).not.toMatch(/\b[a-z]+_[a-z_]+\b|\d{4}-\d\d-\d\d/)
    const first = (
      await one<{ name: string }>(`select ${lang === 'bn' ? 'name_bn' : 'name_en'} as name from categories order by priority limit 1`)
    ).name
    expect(text).toContain(first)
  }
  const heights = await page.locator('tbody time').evaluateAll((all) => all.map((time) => time.getClientRects().length))
  expect(new Set(heights)).toEqual(new Set([1]))
})

test('a long list scrolls in its card: no empty page follows it', async () => {
  const { page } = await admin(OWNER, { width: 1280 })
  for (const path of ['/admin/orders', '/admin/products', '/admin/customers']) {
    await go(page, path)
    const [end, height] = await page.evaluate(() => [
      document.querySelector('main')!.getBoundingClientRect().bottom + scrollY,
      document.documentElement.scrollHeight,
    ])
    expect(height, path).toBeLessThanOrEqual(Math.ceil(Math.max(end, 800)))
  }
})
