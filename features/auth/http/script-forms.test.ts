import { afterAll, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildUser, TEST_PASSWORD } from '#test/factories.ts'
import { openShop } from '#test/request.ts'

// Forms are sent by browsers without scripts, which get pages, and by scripts that ask for JSON [E3].

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))

const { id, phone } = await buildUser(db, { name: 'Farhana' })

async function login(password: string, accept: string) {
  const visitor = shop.visitor()
  const form = new URLSearchParams({ identifier: phone, password, _token: await visitor.token() })
  return visitor.send('POST', '/login', form.toString(), { headers: { 'content-type': 'application/x-www-form-urlencoded', accept } })
}

it('a script that sends a form gets the user and where to go', async () => {
  const answer = await login(TEST_PASSWORD, 'application/json')
  expect([answer.status, answer.body]).toEqual([200, { user: { id, name: 'Farhana', role: 'customer' }, redirect: '/' }])
})

it('and an error that does not say which half was wrong', async () => {
  const answer = await login('another password', 'application/json')
  const text = 'Incorrect phone, email or password.'
  expect([answer.status, answer.body]).toEqual([422, { message: text, error: text, errors: { identifier: [text] } }])
})

it('a browser without scripts gets the next page, or the form again', async () => {
  expect((await login(TEST_PASSWORD, 'text/html')).headers.location).toBe('/')
  const again = await login('another password', 'text/html')
  expect([again.status, again.headers['content-type']]).toEqual([422, 'text/html; charset=utf-8'])
})
