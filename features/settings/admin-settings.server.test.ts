import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from './settings.ts'
import { testDb } from '#test/db.ts'
import { buildCategory, buildProduct, buildUser } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { SETTINGS_PARTS } from './sections.ts'
import type { SettingsNow } from './queries.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const owner = shop.visitor()
await owner.signIn((await buildUser(db, { role: 'owner' })).phone)
beforeEach(async () => {
  await sql`truncate audit_log`.execute(db)
  await sql`delete from settings`.execute(db)
  shop.deps.catalogRevision.advance()
})

const read = async (part: string) =>
  pageProps<{ now: SettingsNow }>((await owner.get(`/admin/settings?part=${part}`, { accept: 'text/html' })).text).now
const log = async () => (await sql<{ before: object; after: object; subject_id: string }>`select * from audit_log`.execute(db)).rows

it.each(SETTINGS_PARTS)('%s: what is shown can be saved as it is', async (part) => {
  await sql`insert into settings (key, value) values ('shop', '{"phone":"01711000001"}')`.execute(db)
  shop.deps.catalogRevision.advance()
  const { values, settingsHash } = await read(part)
  const { status, body } = await owner.post(`/admin/settings/${part}`, { ...values, settingsHash })
  expect([status, body.errors]).toEqual([200, undefined])
})

it('shows a change immediately in the shop and logs the differences', async () => {
  const { settingsHash } = await read('notices')
  const answer = await owner.post('/admin/settings/notices', { announcement: { en: 'Mangoes are here', bn: 'আম এসেছে' }, settingsHash })
  expect(answer).toMatchObject({ status: 200, body: { values: { announcement: { en: 'Mangoes are here' } } } })
  expect((await shop.get('/cart', { accept: 'text/html' })).text).toContain('Mangoes are here')
  expect(await log()).toMatchObject([
    { subject_id: 'notices', before: { 'announcement.en': '' }, after: { 'announcement.en': 'Mangoes are here' } },
  ])
})

it('stores one number that links can call, and shows the name of the shop in titles and SMS', async () => {
  const { settingsHash, values } = await read('shop')
  const save = (more: object) => owner.post('/admin/settings/shop', { ...values, shop: { ...values.shop, ...more }, settingsHash })
  for (const wrong of ['abc', '0171234', '16247', '01711000001, 01711000002', ''])
    expect([wrong, (await save({ phone: wrong })).status]).toEqual([wrong, 422])
  expect((await save({ phone: '01711000001', whatsapp: '12' })).status).toBe(422)
  const name = { en: 'Sobuj Agro', bn: 'সবুজ অ্যাগ্রো' }
  expect(await save({ name, phone: '০১৭১১-০০০ ০০১', whatsapp: '+880 2-9876543' })).toMatchObject({
    status: 200,
    body: { values: { shop: { phone: '01711000001', whatsapp: '029876543' } } },
  })
  const html = async (path: string, lang: string) => (await shop.get(`${path}?lang=${lang}`, { accept: 'text/html' })).text
  expect(await html('/cart', 'bn')).toContain('href="tel:+8801711000001"')
  expect(await html('/', 'en')).toContain('<title>Sobuj Agro: fruit')
  expect(await html('/', 'bn')).toContain('<title>সবুজ অ্যাগ্রো: ')
  expect(await html('/login', 'bn')).toContain(' · সবুজ অ্যাগ্রো</title>')
  const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }
  expect((await shop.visitor().post('/login', 'identifier=x', { headers: form })).text).toContain(' · Sobuj Agro</title>')
  expect((await read('messages')).values.messages?.code.en).toMatch(/^Sobuj Agro: /)
})

it('SMS texts that nobody changed follow a new name, also after they were saved with the old one', async () => {
  const rename = async (en: string, bn: string) => {
    const { settingsHash, values } = await read('shop')
    const named = { ...values, shop: { ...values.shop, name: { en, bn }, phone: '01711000001' }, settingsHash }
    expect(await owner.post('/admin/settings/shop', named)).toMatchObject({ status: 200 })
  }
  await rename('Sobuj Agro', 'সবুজ অ্যাগ্রো')
  const { settingsHash, values } = await read('messages')
  expect(values.messages?.orderPlaced.en).toMatch(/^Sobuj Agro: /)
  const own = { en: 'OWN {code}', bn: 'নিজের {code}' }
  const saved = { ...values, messages: { ...values.messages, code: own }, settingsHash }
  expect(await owner.post('/admin/settings/messages', saved)).toMatchObject({ status: 200 })
  await rename('Green Farm', 'সবুজ খামার')
  const { messages } = (await read('messages')).values
  expect(messages?.code).toEqual(own)
  expect(messages?.orderPlaced).toEqual({ en: expect.stringMatching(/^Green Farm: /), bn: expect.stringMatching(/^সবুজ খামার: /) })
  // Texts that an earlier release stored with the name follow, too.
  const old = JSON.stringify({ orderPlaced: messages?.orderPlaced })
  await sql`update settings set value = value || ${old}::jsonb where key = 'messages'`.execute(db)
  await rename('Blue Farm', 'নীল খামার')
  expect((await read('messages')).values.messages?.orderPlaced.en).toMatch(/^Blue Farm: /)
})

it('takes a bank account whole or not at all', async () => {
  const { settingsHash, values } = await read('payments')
  const empty = { bank: '', branch: '', accountName: '', accountNumber: '', routingNumber: '' }
  const save = (bank: object) =>
    owner.post('/admin/settings/payments', {
      ...values,
      payment_numbers: { bkash: '', nagad: '', bank: { ...empty, ...bank } },
      settingsHash,
    })
  const fields = async (bank: object) => Object.keys((await save(bank)).body.errors ?? {})
  expect(await fields({ accountNumber: '123' })).toEqual(['payment_numbers.bank.bank', 'payment_numbers.bank.accountName'])
  expect(await fields({ branch: 'Savar' })).toHaveLength(3)
  expect((await save({ bank: 'Sonali Bank', accountName: 'Sobuj Agro', accountNumber: '123' })).status).toBe(200)
})

it('two concurrent owners: the second gets a conflict', async () => {
  const { settingsHash } = await read('orders')
  const answers = await Promise.all(
    [20, 22].map((cutoff_hour) => owner.post('/admin/settings/orders', { cutoff_hour, low_stock: 5, settingsHash })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})

it('sets what a cashier takes off by himself, and nothing beyond a hundred percent', async () => {
  const { settingsHash, values } = await read('pos')
  const pos_return = { taka: 2000, day_taka: 5000, days: 7 }
  const others = {
    pos_return,
    blind_count: true,
    cash_rounding: false,
    walk_in_sales: false,
    pos_methods: { nagad: false, rocket: false, card: false },
  }
  expect(values).toEqual({ pos_discount: { percent: 5, taka: 500 }, ...others })
  const save = (pos_discount: object) => owner.post('/admin/settings/pos', { pos_discount, ...others, settingsHash })
  for (const wrong of [
    { percent: 101, taka: 1 },
    { percent: -1, taka: 1 },
    { percent: 5.5, taka: 1 },
    { percent: 5 },
    { percent: 'x', taka: '' },
  ])
    expect([wrong, (await save(wrong)).status]).toEqual([wrong, 422])
  expect(await save({ percent: '১০', taka: '1000' })).toMatchObject({
    status: 200,
    body: { values: { pos_discount: { percent: 10, taka: 1000 } } },
  })
})

it('switches blind counting and cash rounding', async () => {
  const { settingsHash, values } = await read('pos')
  const save = (more: object) => owner.post('/admin/settings/pos', { ...values, ...more, settingsHash })
  for (const wrong of ['yes', 1, null, undefined]) {
    expect([wrong, (await save({ blind_count: wrong })).status]).toEqual([wrong, 422])
    expect([wrong, (await save({ cash_rounding: wrong })).status]).toEqual([wrong, 422])
    expect([wrong, (await save({ pos_methods: { nagad: true, rocket: wrong, card: false } })).status]).toEqual([wrong, 422])
    expect([wrong, (await save({ walk_in_sales: wrong })).status]).toEqual([wrong, 422])
  }
  const changed = { blind_count: false, cash_rounding: true, walk_in_sales: true, pos_methods: { nagad: true, rocket: false, card: true } }
  expect(await save(changed)).toMatchObject({ status: 200, body: { values: changed } })
  expect((await save(changed)).status).toBe(409)
})

it('sets the maximum refunds of a cashier', async () => {
  const { settingsHash, values } = await read('pos')
  const save = (pos_return: unknown) => owner.post('/admin/settings/pos', { ...values, pos_return, settingsHash })
  for (const wrong of [
    { taka: -1, day_taka: 1, days: 1 },
    { taka: 1, day_taka: 1e9, days: 1 },
    { taka: 1, day_taka: 1, days: 366 },
    { taka: 1.5, day_taka: 1, days: 1 },
    { taka: 1, day_taka: 1 },
    { taka: '', day_taka: 1, days: 1 },
    null,
    undefined,
  ])
    expect([wrong, (await save(wrong)).status]).toEqual([wrong, 422])
  const saved = { taka: 1500, day_taka: 0, days: 0 }
  expect(await save({ ...saved, taka: '১৫০০' })).toMatchObject({ status: 200, body: { values: { pos_return: saved } } })
})

it('sets the final weighing of a category', async () => {
  const { id } = await buildCategory(db, { final_weighing_days: 2 })
  const { values, settingsHash } = await read('animals')
  const final_weighing = [{ id, days: '৫' }]
  expect((await owner.post('/admin/settings/animals', { ...values, final_weighing, settingsHash })).status).toBe(200)
  expect((await sql`select final_weighing_days as days from categories where id = ${id}`.execute(db)).rows).toEqual([{ days: 5 }])
  // The form of the category that was open meanwhile has the old days.
  const form = { name_en: 'Heifers', name_bn: 'বকনা', description: '', delivery_group: 'cattle', cod_allowed: true, final_weighing_days: 2 }
  expect((await owner.post(`/admin/category/update/${id}`, { ...form, version: 1 })).status).toBe(409)
  const now = await read('animals')
  expect((await owner.post('/admin/settings/animals', { ...now.values, settingsHash: now.settingsHash })).status).toBe(200)
  expect((await sql`select final_weighing_days as days, version from categories where id = ${id}`.execute(db)).rows).toEqual([
    { days: 5, version: 2 },
  ])
  const unknown = { ...now.values, final_weighing: [{ id: 2 ** 31, days: 5 }], settingsHash: now.settingsHash }
  expect((await owner.post('/admin/settings/animals', unknown)).status).toBe(422)
})

it('says what is wrong with a text of an SMS, an hour, a number, a day', async () => {
  const errors = async (part: string, change: (values: never) => object) => {
    const { values, settingsHash } = await read(part)
    return (await owner.post(`/admin/settings/${part}`, { ...values, ...change(values as never), settingsHash })).body.errors
  }
  const { messages, kurbani, payment_numbers } = DEFAULT_SETTINGS
  expect(await errors('messages', () => ({ messages: { ...messages, code: { en: 'Hello {name}', bn: '{code}' } } }))).toEqual({
    'messages.code.en': ['This text has an unknown field.', 'The text must contain {code}.'],
  })
  expect(await errors('orders', () => ({ cutoff_hour: 25 }))).toEqual({ cutoff_hour: ['Enter a whole number within the allowed range.'] })
  expect(await errors('payments', () => ({ payment_numbers: { ...payment_numbers, bkash: '12' } }))).toEqual({
    'payment_numbers.bkash': ['Enter a mobile number: 01XXXXXXXXX.'],
  })
  expect(await errors('animals', () => ({ kurbani: { ...kurbani, deliveryTo: '2026-02-30' } }))).toEqual({
    'kurbani.deliveryTo': ['Enter a date.'],
  })
  expect(await errors('security', () => ({ role: 'owner' }))).toBeDefined()
  expect(await log()).toEqual([])
})

it.each<[string, Record<string, unknown>, string]>([
  ['orders', { cutoff_hour: '25:99' }, 'cutoff_hour'],
  ['orders', { cutoff_hour: -1 }, 'cutoff_hour'],
  // Then no order would count for the next day; midnight is 24.
  ['orders', { cutoff_hour: 0 }, 'cutoff_hour'],
  ['orders', { cutoff_hour: '21.5' }, 'cutoff_hour'],
  ['orders', { low_stock: 1e9 }, 'low_stock'],
  ['payments', { expiry: { paymentMinutes: 0, unreportedMinutes: 30, advanceHours: 24 } }, 'expiry.paymentMinutes'],
  ['payments', { expiry: { paymentMinutes: 30, unreportedMinutes: 4, advanceHours: 24 } }, 'expiry.unreportedMinutes'],
  ['payments', { expiry: { paymentMinutes: 30, unreportedMinutes: 30, advanceHours: 0 } }, 'expiry.advanceHours'],
  ['payments', { expiry: { paymentMinutes: 30, unreportedMinutes: 30, advanceHours: 100_000 } }, 'expiry.advanceHours'],
  ['payments', { holds: { perPhone: 0, perBrowser: 3, perProvenPhone: 10, perNetwork: 10 } }, 'holds.perPhone'],
  ['payments', { holds: { perPhone: 3, perBrowser: 3, perProvenPhone: 10, perNetwork: 'many' } }, 'holds.perNetwork'],
  ['payments', { cash_on_delivery: { is_code_needed: true, code_from_taka: -1 } }, 'cash_on_delivery.code_from_taka'],
  ['payments', { cash_on_delivery: { is_code_needed: 'yes', code_from_taka: 5000 } }, 'cash_on_delivery.is_code_needed'],
  ['messages', { sms_daily_limit: 0 }, 'sms_daily_limit'],
  ['payments', { advance_amount: -10_000 }, 'advance_amount'],
  ['payments', { advance_amount: '১৫০%' }, 'advance_amount'],
  ['animals', { meat_yield: '-5' }, 'meat_yield'],
  ['messages', { quiet_hours: { from: 24, to: 8 } }, 'quiet_hours.from'],
  ['messages', { delivery_sms: { automatic: true, hour: 24 } }, 'delivery_sms.hour'],
  // The quiet hours last from 22 until the morning, so no SMS would ever be sent.
  ['messages', { delivery_sms: { automatic: true, hour: 22 } }, 'delivery_sms.hour'],
  ['messages', { quiet_hours: { from: 5, to: 4 }, delivery_sms: { automatic: true, hour: 17 } }, 'delivery_sms.hour'],
])('%s: %j is rejected at its field, and nothing is saved', async (part, change, field) => {
  const { values, settingsHash } = await read(part)
  const answer = await owner.post(`/admin/settings/${part}`, { ...values, ...change, settingsHash })
  expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]])
  expect((await read(part)).values).toEqual(values)
})

it('lets the SMS of the day before wait where an hour of the day is left, or where it is switched off', async () => {
  for (const change of [
    { quiet_hours: { from: 17, to: 23 }, delivery_sms: { automatic: true, hour: 17 } },
    { quiet_hours: { from: 22, to: 8 }, delivery_sms: { automatic: false, hour: 23 } },
  ]) {
    const { values, settingsHash } = await read('messages')
    expect((await owner.post('/admin/settings/messages', { ...values, ...change, settingsHash })).status).toBe(200)
  }
})

it('asks the staff for a second factor once the owner wants it', async () => {
  const viewer = shop.visitor()
  await viewer.signIn((await buildUser(db, { role: 'viewer' })).phone)
  expect((await viewer.get('/admin', { accept: 'text/html' })).status).toBe(200)
  const preview = `/product/${(await buildProduct(db, { visible: false })).id}?preview=1`
  expect((await viewer.get(preview)).status).toBe(200)
  await sql`insert into settings (key, value) values ('staff_second_factor', 'true')`.execute(db)
  shop.deps.catalogRevision.advance()
  const page = await viewer.get('/admin', { accept: 'text/html' })
  expect([page.status, page.headers.location]).toEqual([303, '/account/security/second-factor'])
  expect((await viewer.get('/api/admin/find?q=01', { accept: 'application/json' })).status).toBe(403)
  expect((await viewer.get(preview)).status).toBe(410)
})

it('takes what the labels of scales mean, and says what cannot be', async () => {
  const { values, settingsHash } = await read('scales')
  const row = { prefix: '22', holds: 'weight', item_digits: '৪', value_digits: '6', decimals: '3' }
  const save = (scale_labels: unknown) => owner.post('/admin/settings/scales', { scale_labels, settingsHash })
  expect(Object.keys(values)).toEqual(['scale_labels'])
  for (const [rows, field] of [
    [[{ ...row, value_digits: 7 }], 'scale_labels.0.value_digits'],
    [[{ ...row, holds: 'price' }], 'scale_labels.0.decimals'],
    [[row, row], 'scale_labels.1.prefix'],
    [[{ ...row, prefix: '30' }], 'scale_labels.0.prefix'],
    [[{ ...row, holds: 'colour' }], 'scale_labels.0.holds'],
    [[{ ...row, decimals: 4 }], 'scale_labels.0.decimals'],
    [Array.from({ length: 11 }, () => ({ ...row, prefix: '' })), 'scale_labels'],
    ['27', 'scale_labels'],
  ] as const)
    expect([field, (await save(rows)).body.errors]).toEqual([field, { [field]: [expect.any(String)] }])
  const saved = await save([row, { ...row, prefix: '' }])
  expect(saved).toMatchObject({ status: 200, body: { values: { scale_labels: [{ prefix: '22', item_digits: 4 }, { prefix: '' }] } } })
})
