import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAddress, buildArea, buildProduct, buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

// Every write of the admin, the POS and a customer's account, with whatever a signed-in person's browser might be made to send: a
// refusal in the shop's words, no 5xx, no stack, and no row more or less.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))

const area = await buildArea(db, { produce: 80 })
await buildProduct(db)
const owner = shop.visitor()
await owner.signIn((await buildUser(db, { role: 'owner' })).phone)
const customer = await buildUser(db)
const address = await buildAddress(db, customer.id, area.id)
const buyer = shop.visitor()
await buyer.signIn(customer.phone)

/** What a call makes true by itself, whatever it is sent: done again it is no harm, and it is not tried here. */
const TAKES_NOTHING = /\/(sign-out|enable|disable|restore|archive|balance)$|^\/logout$|\/account\/sessions/

const admin: [string, Visitor][] = shop.app.adminGuardedRoutes
  .filter(({ method, url: path }) => (method === 'POST' || method === 'PUT') && !TAKES_NOTHING.test(path) && !path.includes('uploads'))
  .map(({ method, url: path }) => [`${method} ${path.replace(/:\w+/g, '1').replace('*', 'x')}`, owner])
/** Email is not among them, because it may be empty. */
const account: [string, Visitor][] = [
  [`POST /address/update/${address.id}`, buyer],
  [`POST /address/add/${customer.id}`, buyer],
  ['POST /address/selectAddress', buyer],
  ['POST /coupons/validate', buyer],
  ['POST /account/security/password', buyer],
  ['POST /account/security/phone', buyer],
]

const TABLES = [
  'orders',
  'users',
  'products',
  'categories',
  'areas',
  'coupons',
  'popups',
  'slots',
  'settings',
  'audit_log',
  'sms_outbox',
  'addresses',
]
const written = async () => {
  const counted = TABLES.map((table) => sql`(select count(*)::int from ${sql.table(table)}) as ${sql.ref(table)}`)
  return (await sql<object>`select ${sql.join(counted)}`.execute(db)).rows[0]
}

// As deep as the smallest body holds.
const deep = '['.repeat(1300) + ']'.repeat(1300)
const BODIES: [name: string, body: string][] = [
  ['no object', '[]'],
  ['a text', '"text"'],
  ['a number', '17'],
  ['no JSON', '{'],
  ['a NaN', '{"a":NaN}'],
  ['a key of the prototype', '{"__proto__":{"role":"owner"}}'],
  ['depth', `{"products":${deep},"name":${deep},"orders":${deep},"csv":${deep},"note":${deep},"changes":${deep}}`],
  [
    'texts that cannot be kept',
    JSON.stringify({
      name: 'a\u0000b',
      name_en: 'a\ud800',
      phone: '\u0000',
      code: '\u0000',
      message: 'a\ud800',
      note: '\u0000',
      reason: '\ud800',
      version: 1,
    }),
  ],
  [
    'objects where texts belong',
    JSON.stringify({ name: { $ne: '' }, phone: { $gt: '' }, id: { $ne: 0 }, orders: { $ne: [] }, version: { $gt: 0 } }),
  ],
  [
    'numbers beyond all bounds',
    JSON.stringify({ id: 1e308, version: 1e308, amount: '9'.repeat(400), orders: [1e308], price: -1e308, quantity: 1e-320 }),
  ],
]

describe.each([...admin, ...account])('%s', (route, who) => {
  const [method, path] = route.split(' ') as [string, string]
  const send = async (body: string) =>
    who.send(method, path, body, {
      headers: { accept: 'application/json', 'content-type': 'application/json', 'x-csrf-token': await who.token() },
    })

  it('refuses what is no body of its own, and writes nothing', async () => {
    const before = await written()
    for (const [name, body] of BODIES) {
      const answer = await send(body)
      expect(answer.status, `${name}: ${answer.text.slice(0, 300)}`).toBeGreaterThanOrEqual(400)
      expect(answer.status, `${name}: ${answer.text.slice(0, 300)}`).toBeLessThan(500)
      expect(answer.text, name).not.toMatch(/\bat .*\.ts:\d|node_modules|postgres|constraint|\bselect .+ from |\binsert into /i)
      expect([name, answer.body.error]).toEqual([name, answer.body.message])
      expect(await written(), name).toEqual(before)
    }
  })
})
