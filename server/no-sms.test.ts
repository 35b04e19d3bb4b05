import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { LANGS } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { openShop, type TestShop } from '#test/request.ts'
import { JOBS } from './jobs.ts'

// A shop without an SMS provider, as every new shop is, promises no SMS. Another process of the same shop has one.

const { db, url } = await testDb()
const silent = await openShop({ databaseUrl: url, sendsSms: false })
const sending = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const sold = await buildProduct(db, { unit: 'piece', status: 'out-of-stock', stock_milli: 0 })
afterAll(() => expect([...silent.failures, ...sending.failures]).toEqual([]))

const HTML = { accept: 'text/html' }
/** What a page shows, without scripts and what readers do not see. */
const shown = (text: string) => text.replace(/<script[^]*?<\/script>/g, '').replace(/<head>[^]*?<\/head>/, '')
const BY_SMS = /\bSMS\b|এসএমএস/
const PROMISES: [string, string][] = [
  ['/login', 'auth.phone-hint'],
  ['/login?way=code', 'auth.phone-hint'],
  ['/login?way=password', 'auth.with-code'],
  ['/register', 'auth.phone-hint'],
  ['/track', ''],
  ['/order/confirmed/999', ''],
  ['/order/review/999', ''],
]

it.each(PROMISES)('%s promises an SMS only where one is sent', async (path, key) => {
  for (const lang of LANGS) {
    const page = async (shop: TestShop) => shown((await shop.get(path, { ...HTML, cookie: `lang=${lang}` })).text)
    const notice = translate(lang)('auth.no-sms')
    expect([lang, BY_SMS.test(await page(sending))]).toEqual([lang, true])
    expect((await page(silent)).replace(notice, '').match(BY_SMS)?.input ?? '').toBe('')
    if (key !== '') expect(await page(silent)).not.toContain(translate(lang)(key as 'auth.phone-hint'))
  }
})

it('forms that end in a code say that none is sent; signing in by password is offered', async () => {
  const notice = translate('en')('auth.no-sms')
  for (const path of ['/register', '/forgot-password']) {
    const { text } = await silent.get(path, HTML)
    expect([path, text.includes(notice), text.includes(`action="${path}"`)]).toEqual([path, true, false])
  }
  const login = shown((await silent.get('/login?next=/cart', HTML)).text)
  expect([login.includes('name="password"'), login.includes('/register'), login.includes('way=code')]).toEqual([true, false, false])
})

it('a product that is out of stock offers no wait, and the call refuses it', async () => {
  const offer = translate('en')('catalog.tell-me')
  const page = async (shop: TestShop) => shown((await shop.get(`/product/${sold.id}`, HTML)).text)
  expect([(await page(sending)).includes(offer), (await page(silent)).includes(offer)]).toEqual([true, false])
  const wait = { product_id: sold.id, phone: '01712345678' }
  const refused = await silent.visitor().post('/api/product-waits', wait)
  expect([refused.status, refused.body.message]).toEqual([503, translate('en')('wait.no-sms')])
  expect((await sending.visitor().post('/api/product-waits', wait)).status).toBe(201)
})

it('jobs leave what they announce until SMS are sent', async () => {
  await sql`update products set status = 'in-stock', stock_milli = 5000 where id = ${sold.id}`.execute(db)
  const queued = async () => (await sql`select 1 from sms_outbox where template like 'product-free-%'`.execute(db)).rows.length
  await JOBS['announce-products'](silent.deps)
  expect(await queued()).toBe(0)
  await JOBS['announce-products'](sending.deps)
  expect(await queued()).toBe(1)
})

it('a reported advance promises no SMS', async () => {
  for (const [shop, text] of [
    [sending, 'We’ll verify the transfer and send you an SMS.'],
    [silent, 'We’ll verify the transfer; the result is shown with the order.'],
  ] as const) {
    const payment = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 10_000, partial_payment: 10_000 }
    const buyer = shop.visitor()
    const { body } = await buyer.post('/customer-orders', orderBody(area.id, [[(await buildAnimal(db)).id, 1]], payment))
    const invoice = shown((await buyer.get(`/invoice/${body.order_id}`, HTML)).text)
    expect(invoice.includes(translate('en')('advance.confirm-phone'))).toBe(shop === sending)
    const report = { method: 'bkash', transaction_id: `8N7A6D5F${body.order_id}`, sender: '01711111111', amount: 10_000 }
    expect((await buyer.post(`/orders/${body.order_id}/advance`, report)).body.message).toContain(text)
  }
})

it('the time to pay an advance is what the shop can give', () => {
  const text = (minutes: string, hours: string) => translate('en')('payment.advance-text', { amount: '৳10,000', minutes, hours })
  expect(text('30', '24')).toContain(
    'within 30 minutes and submit the transaction ID. If you confirm your phone by SMS code, you have 24 hours.',
  )
  expect(text('30', '')).toBe(
    'Place the order, send ৳10,000 within 30 minutes and submit the transaction ID. The rest when you get your order.',
  )
  expect(text('', '24')).toBe(
    'Place the order, send ৳10,000 within 24 hours and submit the transaction ID. The rest when you get your order.',
  )
})
