import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import '#messages/en.ts'
import '#messages/en-admin.ts'
import '#messages/prebook-form.ts'
import { translate } from '#lib/i18n/translate.ts'
import { browser, database, shop, useDemoShop } from './demo-shop.ts'
import { signIn } from './sign-in.ts'
import { firstPaint, holdScripts, openAsleep, openSlowPhone, randomNumbers } from './slow-phone.ts'

useDemoShop()

// What is typed between the first paint and hydration, and across it: every letter stays, in the field and in the form's state.

const t = translate('en')
const LETTERS = 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl'
const MANAGER = '01711000002'
/** Loads of each form, two at once; EARLY_LOADS=50 for a long run. A page on a slowed CPU takes a core for itself. */
const LOADS = Number(process.env.EARLY_LOADS ?? 2)

beforeAll(() =>
  database.query(
    `update products set status = 'sold', stock_milli = 0
      where status = 'in-stock' and category_id = (select id from categories where slug = 'kurbani-cow')`,
  ),
)

interface Form {
  path: string
  /** The field typed into, and one that is filled in afterwards: the form then renders from its state. */
  field: (page: Page) => Locator
  other: (page: Page) => Locator
  /** A draft of this tab, under its key with the user's id for USER, which the form restores after hydration. */
  draft: [key: string, value: unknown]
  restored: { field: (page: Page) => Locator; content: string }
  before?: (page: Page) => Promise<unknown>
}

const labelled = (name: 'name' | 'phone' | 'address') => (page: Page) => page.getByLabel(t(`admin-orders.${name}`), { exact: true })
const byId = (id: string) => (page: Page) => page.locator(`#${id}`)

const FORMS: Record<string, Form> = {
  'the booking form': {
    path: '/kurbani',
    field: byId('name'),
    other: byId('phone'),
    draft: ['kurbaniBooking', { email: 'karim@example.com', name: 'Old name' }],
    restored: { field: byId('email'), content: 'karim@example.com' },
  },
  'a new order of the admin': {
    path: '/admin/orders/create',
    field: labelled('name'),
    other: labelled('phone'),
    draft: ['draft:USER:order-new', { values: { name: 'Old name', address: 'Road 4' }, version: null }],
    restored: { field: labelled('address'), content: 'Road 4' },
    before: (page) => signIn(page, MANAGER),
  },
}

/** The id of the user who is logged in, with which the anti-forgery token begins, or 0. */
async function userIdOf(page: Page): Promise<string> {
  const { token } = (await (await page.request.get(`${shop.url}/csrf-token`)).json()) as { token: string }
  return /^(\d+)\./.exec(token)?.[1] ?? '0'
}

/** Types across the whole waking of the page. Answers the contents of the field and of one that its draft fills in. */
async function typeAcross({ path, field, other, draft, restored, before }: Form, seed: number): Promise<string[]> {
  const random = randomNumbers(seed)
  const phone = await openSlowPhone(browser, shop.url, before)
  const { page } = phone
  await page.addInitScript(([key, value, userId]) => sessionStorage.setItem(key.replace('USER', userId), JSON.stringify(value)), [
    ...draft,
    await userIdOf(page),
  ] as const)
  // On a slow machine the page may wake before the first letter: its draft would then stand in the field.
  const scripts = await holdScripts(page)
  await page.goto(path, { waitUntil: 'commit' })
  await firstPaint(page)
  await field(page).focus()
  await phone.type(LETTERS.slice(0, 1), () => random() * 300)
  await Promise.all([scripts.release(), phone.type(LETTERS.slice(1), () => 20 + random() * 200)])
  await page.waitForFunction(() => window.pageAwake)
  await phone.unthrottle()
  await other(page).fill('017')
  const contents = await Promise.all([field(page).inputValue(), restored.field(page).inputValue()])
  await phone.context.close()
  return contents
}

test.each(Object.entries(FORMS))('%s holds every letter typed while the page wakes, and its draft', async (_name, form) => {
  const contents: string[][] = []
  for (let seed = 11; seed < 11 + LOADS; seed += 2)
    contents.push(...(await Promise.all([typeAcross(form, seed), typeAcross(form, seed + 1)])))
  expect(contents).toEqual(contents.map(() => [LETTERS, form.restored.content]))
})

test.each(['press', 'Enter'])('a form sent by %s before hydration is sent once, by its script, with what was typed', async (by) => {
  const { page, wake } = await openAsleep(browser, { baseUrl: shop.url, path: '/kurbani' })
  const sent: unknown[] = []
  page.on('request', (request) => void (request.url().endsWith('/api/kurbani-bookings') && sent.push(request.postDataJSON())))
  await page.locator('#name').fill('Rahima')
  await page.locator('#phone').fill('01712345678')
  await page.locator('#price').selectOption({ index: 3 })
  if (by === 'Enter') await page.locator('#name').press('Enter')
  else await page.getByRole('button', { name: 'প্রি-বুকিং করুন' }).tap({ noWaitAfter: true })
  await wake()
  await page.getByText(t('prebook.done')).first().waitFor()
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ name: 'Rahima', phone: '01712345678', price: expect.stringContaining('টাকা') })
  expect(page.url()).toBe(`${shop.url}/kurbani`)
})
