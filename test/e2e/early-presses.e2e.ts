import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import '#messages/bn.ts'
import '#messages/en.ts'
import '#messages/en-account.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { openPage } from './browser.ts'
import { browser, database, shop, useDemoShop } from './demo-shop.ts'
import { firstPaint, openAsleep, openSlowPhone, randomNumbers, type Point, type SlowPhone, wait } from './slow-phone.ts'

useDemoShop()
// Some months have fewer fruits in stock than a load touches.
beforeAll(() => database.query(`update products set status = 'in-stock', stock_milli = null, hold_reason = null where category_id = 3`))

// Presses between the first paint and hydration: all of them count, each once.

const t = translate('en')
/** Loads of each page; more for a long run: EARLY_LOADS=50 makes 500 touches a page. */
const LOADS = Number(process.env.EARLY_LOADS ?? 3)
const TAPS_A_LOAD = 10
const PARALLEL_LOADS = 3
const MAX_GAP_MS = 700

type Target = Point & { id: number }

/** The centres of the Add to cart buttons that no toast covers; none while parts of the list are still laid out. */
async function addButtons(page: Page): Promise<Target[]> {
  const found = await page.evaluate(() => {
    if (document.documentElement.dataset.early === '' || document.querySelector('[style*="content-visibility"]')) return []
    const buttons = [...document.querySelectorAll<HTMLElement>('main [data-product] button[data-add]:not([data-milli])')]
    if (!buttons.every((button) => button.checkVisibility({ contentVisibilityAuto: true }))) return []
    return buttons.map((button) => {
      const { x, y, width, height } = button.getBoundingClientRect()
      return { id: Number(button.dataset.add), x: x + width / 2, y: y + height / 2 }
    })
  })
  return found.filter(({ y }) => y > 320 && y < 4000)
}

/** Some of the buttons in random order, as soon as they stand still. */
async function listed(page: Page, random: () => number): Promise<Target[]> {
  let before: Target[] = []
  await expect
    .poll(async () => {
      const now = await addButtons(page)
      const isStill = now.length >= TAPS_A_LOAD && JSON.stringify(now) === JSON.stringify(before)
      before = now
      return isStill
    })
    .toBe(true)
  return before
    .map((target) => ({ target, order: random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ target }) => target)
    .slice(0, TAPS_A_LOAD)
}

/** Notes which Add to cart button each touch begins on. A list that moves under the finger is no lost press. */
function noteTouches(): void {
  addEventListener(
    'touchstart',
    ({ target }) => {
      const button = (target as Element).closest<HTMLElement>('[data-add]')
      if (button) sessionStorage.touched = `${sessionStorage.touched ?? ''} ${button.dataset.add}`
    },
    { capture: true, passive: true },
  )
}

const touchedIn = (page: Page) => page.evaluate(() => ((sessionStorage.touched as string) ?? '').split(' ').filter(Boolean).map(Number))
const inCart = (page: Page) =>
  page.evaluate(() => (JSON.parse(localStorage.cartData ?? '[]') as { productId: number }[]).map(({ productId }) => productId))

interface LoadResult {
  touches: number
  wrong: string[]
}

/** Taps random products at random moments, and may leave for the cart right after the last tap. */
async function load(phone: SlowPhone, path: string, { leaves, seed }: { leaves: boolean; seed: number }): Promise<LoadResult> {
  const { page } = phone
  const random = randomNumbers(seed)
  const wrong: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/assets/cart-dialog')) wrong.push(`load ${seed}: a touch counted twice`)
  })
  await page.addInitScript(noteTouches)
  await page.goto(path, { waitUntil: 'commit' })
  await firstPaint(page)
  const targets = await listed(page, random)
  const cartLink = await page.locator('nav a[href="/cart"]').last().boundingBox()
  if (!cartLink) return { touches: 0, wrong: [`load ${seed}: no link to the cart`] }
  // A page is left before hydration in some loads, after it in others.
  const hurry = leaves ? random() : 1
  const sent: Promise<unknown>[] = []
  for (const target of targets) {
    await wait(random() * MAX_GAP_MS * hurry)
    sent.push(phone.tap(target))
  }
  if (leaves) {
    await wait(random() * 60)
    sent.push(phone.tap({ x: cartLink.x + cartLink.width / 2, y: cartLink.y + cartLink.height / 2 }))
    // A touch that missed its button may have opened a product: that page takes the presses as well.
    await expect.poll(() => page.url()).not.toMatch(new RegExp(`${path}$`))
  }
  await Promise.all(sent)
  await phone.unthrottle()
  await page.waitForFunction(() => window.pageAwake)
  const touched = await touchedIn(page)
  const found = await settled(() => inCart(page), touched)
  if (String(found) !== String(touched)) wrong.push(`load ${seed}${leaves ? ' (left)' : ''}: touched ${touched}, in the cart ${found}`)
  return { touches: touched.length, wrong }
}

/** Reads until it is as expected, and for two seconds at most. */
async function settled<Value>(read: () => Promise<Value>, expected: Value): Promise<Value> {
  for (let tries = 0; tries < 20; tries += 1) {
    if (String(await read()) === String(expected)) break
    await wait(100)
  }
  return read()
}

test.each([
  ['/fruits', false],
  ['/beef', false],
  ['/fruits', true],
  ['/beef', true],
])('quick touches on %s on a slow phone (left at once: %s): all of them count, once and in order', async (path, leaves) => {
  const results: LoadResult[] = []
  let seed = 0
  const loadInTurn = async () => {
    for (let own = ++seed; own <= LOADS; own = ++seed) {
      const phone = await openSlowPhone(browser, shop.url)
      results.push(await load(phone, path, { leaves, seed: own }))
      await phone.context.close()
    }
  }
  await Promise.all(Array.from({ length: Math.min(PARALLEL_LOADS, LOADS) }, loadInTurn))
  expect(results.flatMap(({ wrong }) => wrong)).toEqual([])
  // A touch that misses a list that moves may open a product and take later ones along; some must hit, or nothing is tested.
  expect(results.reduce((sum, { touches }) => sum + touches, 0)).toBeGreaterThanOrEqual(0.3 * LOADS * TAPS_A_LOAD)
})

const asleep = (path: string, lang?: Lang) => openAsleep(browser, { baseUrl: shop.url, path, lang })
const cards = (page: Page) => page.locator('main [data-product][data-status=in-stock]')
const addTo = (card: Locator, lang: Lang = 'en') => card.getByRole('button', { name: translate(lang)('catalog.add-to-cart') })
const idOf = (card: Locator) => card.getAttribute('data-product').then(Number)
const cartLink = (page: Page) => page.locator('nav a[href="/cart"]').last()
const shownCount = (page: Page) =>
  page
    .locator('.cart-badge')
    .last()
    .evaluate((badge) => getComputedStyle(badge, '::after').content)
const press = (target: Locator) => target.tap({ noWaitAfter: true })

test.each(['en', 'bn'] as const)('in %s presses are shown at once, and answered in their order after hydration', async (lang) => {
  const { page, wake } = await asleep('/beef', lang)
  const words = translate(lang)
  const [first, second] = [
    cards(page).nth(2),
    cards(page)
      .filter({ has: page.locator('.card-media') })
      .first(),
  ]
  await press(addTo(first, lang))
  await press(addTo(second, lang))
  await press(second.locator('.card-media'))
  expect(await shownCount(page)).toContain(lang === 'en' ? '"2"' : '"২"')
  expect(await page.locator('[data-pressed]').count()).toBe(3)
  await wake()
  // Both answers are one message.
  await page.getByText(words('catalog.added')).waitFor()
  await page.locator('dialog[open]').waitFor()
  expect(await inCart(page)).toEqual([await idOf(first), await idOf(second)])
  expect(await page.locator('[data-pressed]').count()).toBe(0)
  expect(await shownCount(page)).toContain(lang === 'en' ? '"2"' : '"২"')
  expect(await page.locator('.cart-badge').last().textContent()).toContain(lang === 'en' ? '2' : '২')
})

test('a product pressed twice before hydration is one line, and the dialog says so', async () => {
  const { page, wake } = await asleep('/fruits')
  await press(addTo(cards(page).first()))
  await press(addTo(cards(page).first()))
  await wake()
  await page.getByRole('dialog', { name: t('catalog.duplicate-title') }).waitFor()
  expect(await inCart(page)).toHaveLength(1)
})

test('a pack pressed before hydration is in the cart in its quantity, also on the next page', async () => {
  const { page, leave } = await asleep('/fruits')
  const card = cards(page).first()
  const pack = card.locator('[data-milli]').nth(1)
  const quantity = Number(await pack.getAttribute('data-milli')) / 1000
  await press(pack)
  expect(await page.locator('[data-pressed]').count()).toBe(1)
  await leave(cartLink(page))
  await page.locator('[id^=line-]').waitFor()
  expect(await page.evaluate(() => (JSON.parse(localStorage.cartData) as { quantity: number }[])[0]?.quantity)).toBe(quantity)
})

test('presses that change one state follow each other', async () => {
  const { page, wake } = await asleep('/login?way=password')
  const show = page.getByRole('button', { name: t('auth.show-password') })
  for (let times = 0; times < 2; times += 1) await press(show)
  await wake()
  expect(await page.locator('input[name=password]').getAttribute('type')).toBe('password')
  expect(await show.isVisible()).toBe(true)
})

test('a page that is left before hydration leaves its products to the next one; Back adds none of them again', async () => {
  const { page, leave } = await asleep('/fruits')
  const [first, second] = [cards(page).nth(0), cards(page).nth(1)]
  const wanted = [await idOf(first), await idOf(second)]
  await press(addTo(first))
  await press(addTo(second))
  await leave(cartLink(page))
  await page.locator(`#line-${wanted[1]}`).waitFor()
  expect(await inCart(page)).toEqual(wanted)
  await page
    .locator(`#line-${wanted[0]}`)
    .getByRole('button', { name: /^Remove/ })
    .tap()
  await page.goBack()
  await page.waitForFunction(() => window.pageAwake)
  expect(await inCart(page)).toEqual([wanted[1]])
  expect(await page.locator('dialog[open]').count()).toBe(0)
})

test('an open page takes what another one has stored, once', async () => {
  const { page, context, wake } = await asleep('/fruits')
  const other = await context.newPage()
  await other.goto('/beef')
  await other.waitForFunction(() => window.pageAwake)
  const id = await idOf(cards(page).first())
  await press(addTo(cards(page).first()))
  await expect.poll(() => inCart(other)).toEqual([id])
  await wake()
  expect(await inCart(page)).toEqual([id])
  expect(await page.locator('dialog[open]').count()).toBe(0)
})

test('"Order Now" leads to the cart with the product, as after hydration', async () => {
  const { page, leave } = await asleep('/fruits')
  const id = await idOf(cards(page).first())
  await page.goto(`/product/${id}`, { waitUntil: 'domcontentloaded' })
  await leave(page.getByRole('link', { name: t('catalog.order-now') }).last())
  await page.locator(`#line-${id}`).waitFor()
  expect(new URL(page.url()).pathname).toBe('/cart')
})

test.each(['{"half":', 'null', '[null,[1],[1,{"id":"x"}],"text"]'])('broken storage %j keeps no press from the cart', async (broken) => {
  const { page, wake } = await asleep('/fruits')
  await page.evaluate((text) => localStorage.setItem('cartPending', text), broken)
  await press(addTo(cards(page).first()))
  await wake()
  await page.getByText(t('catalog.added')).waitFor()
  expect(await inCart(page)).toEqual([await idOf(cards(page).first())])
})

test('without storage the press is answered after hydration', async () => {
  const opened = await openPage(browser, { baseUrl: shop.url })
  await opened.page.addInitScript(() =>
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('blocked', 'SecurityError')
      },
    }),
  )
  await opened.page.route('**/assets/*.js', async (route) => {
    await wait(400)
    await route.continue()
  })
  await opened.page.goto('/fruits', { waitUntil: 'domcontentloaded' })
  await press(addTo(cards(opened.page).first()))
  await opened.page.getByRole('dialog', { name: t('catalog.cart-unsaved-title') }).waitFor()
})
