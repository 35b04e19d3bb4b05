import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'

// Row 59: contact details of orders in many alphabets, and invalid ones.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db)
afterAll(() => expect(shop.failures).toEqual([]))

const REQUIRED = ['name', 'email', 'phone', 'address']
const FIELDS = ['name', 'address', 'landmark', 'note']

async function send(customer: Record<string, unknown>) {
  const body = orderBody(area.id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
  return shop.post('/customer-orders', { ...body, customer: { ...body.customer, ...customer } })
}
async function stored(id: number | undefined) {
  const { rows } = await sql<
    Record<string, string>
  >`select name, email, phone, alternate_phone, address, landmark, note from orders where id = ${id}`.execute(db)
  return rows[0] ?? {}
}

describe('is rejected at its field', () => {
  it.each(
    REQUIRED.flatMap((field) =>
      ['', '   ', '\u200b\u200d\ufeff', '\u202e', '\u00ad\u3164', '\u2800 \ufe0f', '\u0301', null, undefined].map((value) => [
        field,
        value,
      ]),
    ),
  )('%s = %j (blank)', async (field, value) => {
    const { status, body } = await send({ [String(field)]: value })
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [`customer.${field}`]])
    expect(body.errors?.[`customer.${field}`]).toHaveLength(1)
  })
  it.each(
    FIELDS.flatMap((field) =>
      [
        ['NUL', 'a\u0000b'],
        ['half a surrogate pair', 'a\ud83d'],
        ['256 letters', 'x'.repeat(256)],
        ['256 emoji', '🐄'.repeat(256)],
        ['3,000 letters', 'x'.repeat(3000)],
      ].map(([name, value]) => [field, name, value]),
    ),
  )('%s with %s', async (field, _name, value) => {
    const { status, body } = await send({ [String(field)]: value })
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [`customer.${field}`]])
  })
  it.each(['a@b', 'a b@c.de', '@c.de', 'a@', 'a@b..c', 'a@b.c, d@e.fg', `${'x'.repeat(251)}@c.de`])('the email %s', async (email) => {
    expect((await send({ email })).body.errors).toHaveProperty(['customer.email'])
  })
  it.each(['017123456', '02123456789', '01212345678', '+9101712345678', '017123456789', 'seventeen', '0171234567a'])(
    'the phone %s',
    async (phone) => {
      expect((await send({ phone })).body.errors).toHaveProperty(['customer.phone'])
      expect((await send({ alternate_phone: phone })).body.errors).toHaveProperty(['customer.alternate_phone'])
    },
  )
  it.each([null, '', 0, -1, 1.5, '1e3', 'abc', [], {}, 99_999_999_999, '999999999'])('the area %j', async (area_id) => {
    expect((await send({ area_id })).body.errors).toHaveProperty(['customer.area_id'])
  })
  it('several fields together, each with its error', async () => {
    const { status, body } = await send({ name: '', email: 'x', phone: 'y', address: ' ', area_id: null })
    expect([status, Object.keys(body.errors ?? {}).toSorted()]).toEqual([
      422,
      ['customer.address', 'customer.area_id', 'customer.email', 'customer.name', 'customer.phone'],
    ])
  })
})

/** The maximum number of distinct words. Each enters the name index. */
const WORDS = Array.from({ length: 85 }, (_, i) => String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))).join(' ')

describe('is stored normalized', () => {
  it.each([
    ['Bengali with joiners', 'র\u200d্যাব', 'র\u200d্যাব'],
    ['decomposed letters', 'e\u0301', 'é'],
    ['a direction trick', 'abc\u202e321', 'abc 321'],
    ['spaces and direction marks around', '\u200f  Rahima\u2069 \u200e', 'Rahima'],
    ['markup', '"><img src=x onerror=alert(1)>', '"><img src=x onerror=alert(1)>'],
    ['SQL', `'); drop table orders;--`, `'); drop table orders;--`],
    ['templates', '{order} {link} ${7*7} {{7*7}} %s', '{order} {link} ${7*7} {{7*7}} %s'],
    ['emoji', '🐄'.repeat(255), '🐄'.repeat(255)],
    ['a family of emoji', '👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦'],
    ['255 letters', 'ক'.repeat(255), 'ক'.repeat(255)],
    ['85 words', WORDS, WORDS],
  ])('%s', async (_name, input, expected) => {
    const { status, body, text } = await send({ name: input, address: input, note: input })
    expect(status, text).toBe(200)
    expect(await stored(body.order_id)).toMatchObject({ name: expected, address: expected, note: expected })
  })
  it('line breaks of an address', async () => {
    expect((await stored((await send({ address: 'House 5\nRoad 3' })).body.order_id)).address).toBe('House 5\nRoad 3')
  })
  it.each(['01712345678', '+880 1712-345678', '8801712345678', '০১৭১২৩৪৫৬৭৮', ' (017) 123.45678 '])('the phone %s', async (phone) => {
    const { body } = await send({ phone, alternate_phone: phone })
    expect(await stored(body.order_id)).toMatchObject({ phone: '01712345678', alternate_phone: '01712345678' })
  })
  it('one customer per phone; an order of a stranger does not change the details', async () => {
    await send({ phone: '01799999999', name: 'First' })
    await send({ phone: '+8801799999999', name: 'Second', email: 'second@customer.example' })
    const { rows } = await sql`select name from users where phone = '01799999999'`.execute(db)
    expect(rows).toEqual([{ name: 'First' }])
  })
  it('the SMS stays short with a long name', async () => {
    const { body } = await send({ name: 'ক'.repeat(255) })
    const { rows } = await sql<{ body: string }>`select body from sms_outbox where order_id = ${body.order_id}`.execute(db)
    expect(rows[0]?.body).toContain(String(body.order_id))
    expect(rows[0]?.body.length).toBeLessThan(500)
  })
})
