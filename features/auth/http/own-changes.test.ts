import { afterAll, beforeEach, expect, it } from 'vitest'
import { sql } from 'kysely'
import { codeSentTo } from '#test/codes.ts'
import { testDb } from '#test/db.ts'
import { buildUser, TEST_PASSWORD } from '#test/factories.ts'
import { openShop } from '#test/request.ts'

// What staff change in their own account stands in the audit log, as what an owner changes in it does.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
beforeEach(() => sql`truncate audit_log`.execute(db))
afterAll(() => expect(shop.failures).toEqual([]))

const PASSWORD = 'two white goats'
const NEW_PHONE = '01430000077'
const log = () =>
  db.selectFrom('audit_log').select(['actor_id', 'action', 'subject', 'subject_id', 'before', 'after']).orderBy('id').execute()

async function signedIn(role: 'sales' | 'customer', details: object = {}) {
  const user = await buildUser(db, { role, phone_verified_at: new Date(), email: 'old@shop.example', ...details })
  const browser = shop.visitor()
  expect((await browser.signIn(user.phone)).status).toBe(200)
  return { user, browser }
}

async function changeAll(browser: Awaited<ReturnType<typeof signedIn>>['browser'], phone: string): Promise<void> {
  await browser.post('/account/security/name', { name: 'Salma Akter' })
  await browser.post('/account/security/email', { email: 'new@shop.example' })
  await browser.post('/account/security/phone', { phone })
  expect((await browser.post('/code', { code: await codeSentTo(db, phone) })).status).toBe(200)
  expect((await browser.post('/account/security/password', { password: PASSWORD })).status).toBe(200)
}

it('name, email, phone and password of staff, with before and after; a password only as such', async () => {
  const { user, browser } = await signedIn('sales', { name: 'Salma' })
  await changeAll(browser, NEW_PHONE)
  const own = { actor_id: user.id, action: 'changed', subject: 'staff', subject_id: String(user.id) }
  expect(await log()).toEqual([
    { ...own, before: { name: 'Salma' }, after: { name: 'Salma Akter' } },
    { ...own, before: { email: 'old@shop.example' }, after: { email: 'new@shop.example' } },
    { ...own, before: { phone: user.phone }, after: { phone: NEW_PHONE } },
    { ...own, before: null, after: { password: 'own' } },
  ])
  expect(JSON.stringify(await log())).not.toContain(PASSWORD)
})

it('not what is saved as it was, nor what customers change', async () => {
  const { browser } = await signedIn('sales', { name: 'Jamil' })
  await browser.post('/account/security/name', { name: 'Jamil' })
  await browser.post('/account/security/email', { email: 'old@shop.example' })
  await changeAll((await signedIn('customer')).browser, '01430000078')
  expect(await log()).toEqual([])
})

it('a forgotten password that is replaced by a code, and a one-time one by the own', async () => {
  const { user } = await signedIn('sales')
  const forgetful = shop.visitor()
  await forgetful.post('/forgot-password', { phone: user.phone })
  const code = await codeSentTo(db, user.phone)
  expect((await forgetful.post('/code', { code, password: PASSWORD })).status).toBe(200)
  await sql`update users set password_once = true where id = ${user.id}`.execute(db)
  const first = shop.visitor()
  expect((await first.signIn(user.phone, PASSWORD)).body.redirect).toBe('/code')
  expect((await first.post('/code', { password: 'three brown goats' })).status).toBe(200)
  const own = { actor_id: user.id, subject: 'staff', subject_id: String(user.id), after: { password: 'own' } }
  expect(await log()).toMatchObject([
    { ...own, before: null },
    { ...own, before: { password: 'once' } },
  ])
})

it('a new PIN of the screen lock', async () => {
  const { user, browser } = await signedIn('sales', { role: 'cashier' })
  await browser.post('/account/lock')
  const unlocked = await browser.post('/unlock', { password: TEST_PASSWORD, new_pin: '7294' })
  expect(unlocked.status, unlocked.text).toBe(200)
  expect(await log()).toMatchObject([{ actor_id: user.id, subject: 'staff', before: null, after: { pin: 'own' } }])
})
