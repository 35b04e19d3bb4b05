import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { translate } from '#lib/i18n/translate.ts'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'

// A shop without an SMS provider, as every new shop is until its owner has an account with one.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, sendsSms: false })
const customer = await buildUser(db, { phone_verified_at: new Date() })
afterAll(() => expect(shop.failures).toEqual([]))

const body = { phone: customer.phone, name: 'Karim', password: 'three brown cows' }

it.each(['/login/code', '/forgot-password', '/register'])('%s says that no code would arrive, and sends none', async (path) => {
  const browser = shop.visitor()
  const answer = await browser.post(path, body)
  expect([answer.status, answer.body.message]).toEqual([503, translate('en')('auth.no-sms')])
  expect((await browser.postForm(path, body)).text).toContain(translate('en')('auth.no-sms'))
  expect((await sql`select 1 from sms_outbox`.execute(db)).rows).toEqual([])
})

it('the change of a phone says so', async () => {
  const browser = shop.visitor()
  await browser.signIn(customer.phone)
  const answer = await browser.post('/account/security/phone', { phone: '01999999997' })
  expect([answer.status, answer.body.message]).toEqual([503, translate('en')('auth.no-sms')])
  expect((await browser.post('/account/confirm/code', {})).status).toBe(503)
})
