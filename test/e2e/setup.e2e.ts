import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import '#messages/bn-account.ts'
import '#messages/bn-admin.ts'
import { consent } from '#messages/bn/consent.ts'
import { CART_KEY } from '#features/cart/rules.ts'
import { draftNames } from '#features/catalog/products/photo-draft-rules.ts'
import { nextEid } from '#features/settings/season-rules.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { translate } from '#lib/i18n/translate.ts'
import { freePort } from '#test/free-port.ts'
import { NEW_SHOP_TEMPLATE } from '../clone.ts'
import { newDatabase, type TestDatabase } from '../db.ts'
import { runScript } from '../run-script.ts'
import { shared } from '../shared.ts'
import { startShopProcess, type ShopProcess } from '../shop-process.ts'
import { openPage, sharedBrowser } from './browser.ts'
import { button, storedItems, writeDetails } from './checkout.ts'
import { interceptOthers } from './measuring.ts'
import { go } from './sign-in.ts'

// From an empty machine to a first order, in Bengali on a phone, as docs/operations.md describes it.

const PICTURE = path.resolve(import.meta.dirname, '../../public/logo.png')
const OWNER = '01712345678'
const t = translate('bn')

let shop: ShopProcess
let database: TestDatabase
let dataDir: string
let env: Record<string, string>

// Each try has an empty machine of its own.
beforeEach(async ({ onTestFinished }) => {
  await shared('pages')
  dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-shop-'))
  database = await newDatabase({ template: NEW_SHOP_TEMPLATE })
  const port = String(await freePort())
  env = {
    NODE_ENV: 'production',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SESSION_SECRET: 'a secret of thirty-two characters',
    RATE_LIMIT: 'on',
    PORT: port,
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
  }
  onTestFinished(async () => {
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  shop = await startShopProcess({ databaseUrl: database.url, dataDir, env })
  onTestFinished(() => shop.stop())
})

const bengali = async () => openPage(await sharedBrowser(), { baseUrl: shop.url, lang: 'bn' })

test('an owner sets the shop up and opens it; a visitor orders the first product', async () => {
  await expect.poll(() => shop.output()).toMatch(/Visitors cannot enter yet: .*\/admin\/setup/)

  const early = await bengali()
  early.expectProblem(/503/)
  expect((await early.page.goto('/fruits'))?.status()).toBe(503)
  await early.page.getByRole('heading', { name: /শিগগিরই চালু/ }).waitFor()

  const { output } = await runScript('scripts/owner.ts', { args: ['--phone', OWNER, '--name', 'আব্দুল করিম'], env })
  const { page, expectProblem } = await bengali()
  await go(page, '/login?way=password')
  await page.fill('[name=identifier]', OWNER)
  await page.fill('[name=password]', /password ([0-9A-Z-]{19}),/.exec(output)?.[1] ?? '')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/code')
  await page.fill('[name=password]', 'two white goats')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/setup')

  const step = (key: string) => page.locator(`[data-step=${key}]`)
  const stateOf = (key: string) => step(key).getAttribute('data-state')
  expect(await Promise.all(['shop', 'policies', 'products'].map(stateOf))).toEqual(['missing', 'missing', 'missing'])

  // Without a product the shop does not open.
  expectProblem(/409/)
  await go(page, '/admin/setup')
  await button(page, t('setup.open')).click()
  await button(page.getByRole('dialog'), t('setup.open')).click()
  await page
    .getByRole('alert')
    .filter({ hasText: t('setup.cannot-open.product') })
    .waitFor()

  await step('shop')
    .getByRole('link', { name: t('setup.link.settings') })
    .click()
  await page.waitForFunction(() => window.pageAwake)
  await page.fill('[name="shop.name.bn"]', 'সবুজ খামার')
  await page.fill('[name="shop.name.en"]', 'Green Farm')
  await page.fill('[name="shop.phone"]', '০১৭১২৩৪৫৬৭৮')
  await page.fill('[name="shop.address.bn"]', 'শাজাহানপুর, বগুড়া')
  await page.fill('[name="shop.address.en"]', 'Shajahanpur, Bogura')
  await button(page, t('admin.save')).click()
  await page.getByText(t('admin.saved')).first().waitFor()
  await page.getByRole('link', { name: t('setup.continue') }).click()
  await page.waitForURL('**/admin/setup')
  // The logo remains.
  expect(await stateOf('shop')).toBe('optional')

  // The next Eid is proposed; one press takes its days.
  const today = dhakaDate(new Date())
  const eid = nextEid(today)!
  await step('season')
    .getByText(t('setup.item.season', { day: eid }))
    .waitFor()
  await step('season')
    .getByRole('link', { name: t('setup.link.season') })
    .click()
  await page.waitForFunction(() => window.pageAwake)
  await button(page, t('settings.season.use')).click()
  await button(page, t('admin.save')).click()
  await page.getByText(t('admin.saved')).first().waitFor()
  expect(await page.getByText(t('settings.season.use')).count()).toBe(0)
  await go(page, '/admin/settings?part=animals')
  expect(await page.getByText(t('settings.season.use')).count()).toBe(0)
  for (const [part, links] of [
    ['delivery', ['settings.part.delivery', 'setup.link.cutoff']],
    ['about', ['setup.link.about', 'admin.nav.texts']],
    ['products', ['setup.link.rates']],
  ] as const)
    for (const key of links) {
      await go(page, '/admin/setup')
      await step(part)
        .getByRole('link', { name: t(key) })
        .click()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForURL(/\/admin\/(settings\?part=(delivery|orders|about)|texts|rates)$/)
    }
  await go(page, '/admin/setup')
  expect(await Promise.all(['season', 'delivery', 'about'].map(stateOf))).toEqual(['done', 'optional', 'optional'])
  await page.waitForFunction(() => window.pageAwake)

  // A photograph becomes a hidden product; its form makes it the first one that shoppers see.
  await page.waitForFunction(() => window.pageAwake)
  await step('products').locator('input[type=file]').setInputFiles(PICTURE)
  await step('products')
    .getByRole('link', { name: t('setup.photos-done', { count: 1 }) })
    .click()
  await page.getByText(draftNames('goods', 1).name_bn).first().click()
  await page.waitForURL(/\/admin\/products\/\d+$/)
  await page.waitForFunction(() => window.pageAwake)
  // Both names are stored, although the page has the texts of one language.
  expect(await page.inputValue('[name=name_en]')).toBe('New product 1')
  await page.fill('[name=name_bn]', 'হিমসাগর আম')
  await page.fill('[name=name_en]', 'Himsagar mango')
  await page.fill('[name=price]', '১২০')
  await page.locator('[name=visible]').check()
  await button(page, t('admin.save')).click()
  await page.getByText(t('admin.saved')).first().waitFor()

  await go(page, '/admin/setup')
  expect(await stateOf('products')).toBe('done')
  await button(page, t('setup.open')).click()
  await button(page.getByRole('dialog'), t('setup.open')).click()
  await page.getByText(t('setup.open-note')).waitFor()

  await go(page, '/admin/settings?part=analytics')
  await page.fill('[name="analytics.pixel_id"]', '123456789012345')
  await page.fill('[name="analytics.ga4_id"]', 'G-ABCD123456')
  await page.keyboard.press('Enter')
  await page.getByText(t('admin.saved')).first().waitFor()

  // Nothing reaches Meta or Google before the visitor agrees, and each event reaches them once afterwards.
  const visitor = (await bengali()).page
  const sent = await interceptOthers(visitor, shop.url)
  const events = () => sent.filter((one) => !one.includes('.') && one !== 'PageView')
  await go(visitor, '/fruits')
  await button(visitor, consent['consent.refuse']).click()
  await visitor.getByText('হিমসাগর আম').first().click()
  await visitor.waitForURL(/\/product\/\d+/)
  await visitor.waitForFunction(() => window.pageAwake)
  await visitor
    .getByRole('button', { name: t('catalog.add-to-cart') })
    .filter({ visible: true })
    .first()
    .click()
  await expect.poll(() => storedItems(visitor)).toHaveLength(1)
  await button(visitor, consent['consent.change']).click()
  expect(sent).toEqual([])
  await button(visitor, consent['consent.accept']).click()
  await expect.poll(events).toEqual(['ViewContent'])
  expect(sent).toEqual(expect.arrayContaining(['connect.facebook.net', 'www.googletagmanager.com']))
  await visitor.evaluate((key) => localStorage.removeItem(key), CART_KEY)
  await visitor
    .getByRole('button', { name: t('catalog.add-to-cart') })
    .filter({ visible: true })
    .first()
    .click()
  await expect.poll(events).toEqual(['ViewContent', 'AddToCart'])
  await go(visitor, '/cart')
  await expect.poll(events).toEqual(['ViewContent', 'AddToCart', 'InitiateCheckout'])
  await button(visitor, t('cart.proceed')).click()
  await writeDetails(visitor)
  await button(visitor, t('checkout.proceed-to-preview')).click()
  await visitor.getByRole('radio', { name: t('payment.cod') }).check()
  await visitor.getByRole('checkbox').check()
  await button(visitor, t('place.order')).click()
  await visitor.waitForURL(/\/order\/confirmed\/\d+$/)
  const all = ['ViewContent', 'AddToCart', 'InitiateCheckout', 'Purchase']
  await expect.poll(events).toEqual(all)
  const pageViews = () => sent.filter((one) => one === 'PageView').length
  const seen = pageViews()
  await visitor.reload()
  await expect.poll(pageViews).toBe(seen + 1)
  expect(events()).toEqual(all)

  // After a refusal their cookies are gone, and the next page asks them nothing.
  const cookies = async () => (await visitor.context().cookies()).map(({ name }) => name)
  expect(await cookies()).toContain('_fbp')
  await button(visitor, consent['consent.change']).click()
  await Promise.all([visitor.waitForEvent('load'), button(visitor, consent['consent.refuse']).click()])
  expect(await cookies()).not.toContain('_fbp')
  const before = sent.length
  await button(visitor, consent['consent.change']).waitFor()
  expect(sent).toHaveLength(before)

  await go(page, '/admin/orders')
  await page.getByText('রহিমা খাতুন').first().waitFor()
})
