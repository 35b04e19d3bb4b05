import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Answer, SendOptions, Visitor } from '#test/visitor.ts'
import type { Address } from './address-rules.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const dhanmondi = await buildArea(db)
const uttara = await buildArea(db)
const closed = await buildArea(db, { active: false })
const farhana = await buildUser(db, { name: 'Farhana', email: 'farhana@customer.example' })
const selim = await buildUser(db, { name: 'Selim' })
const her = shop.visitor()
const him = shop.visitor()
await her.signIn(farhana.phone)
await him.signIn(selim.phone)
afterAll(() => expect(shop.failures).toEqual([]))
beforeEach(() => sql`truncate addresses`.execute(db))

const home = {
  name: 'Farhana',
  phone: '+880 1811-000 001',
  alternate_phone: '',
  address: 'House 12, Road 7A',
  landmark: 'Lake',
  note: '',
  area_id: dhanmondi.id,
}
const work = { ...home, address: 'Office' }
const saved = (answer: Answer) => answer.body as unknown as Address & { message: string }
const add = (who: Visitor, owner: number, body: object = home, options?: SendOptions) => who.post(`/address/add/${owner}`, body, options)
const all = async (who: Visitor) => (await who.get('/address/all')).body as unknown as Address[]
async function remove(who: Visitor, id: number | string, token?: string): Promise<Answer> {
  return who.send('DELETE', `/address/delete/${id}`, undefined, {
    headers: { accept: 'application/json', 'x-csrf-token': token ?? (await who.token()) },
  })
}
/** The form as a browser sends it. */
async function update(who: Visitor, id: number | string, fields: Record<string, string>, { token = '' } = {}): Promise<Answer> {
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...fields, _token: token || (await who.token()) })) form.append(name, value)
  const encoded = new Request('http://x', { method: 'POST', body: form })
  return who.send('POST', `/address/update/${id}`, Buffer.from(await encoded.arrayBuffer()), {
    headers: { accept: 'application/json', 'content-type': encoded.headers.get('content-type') ?? '' },
  })
}
const listRows = async () => (await sql<object>`select * from addresses order by id`.execute(db)).rows

describe('the six calls', () => {
  it('add: the first address is the default; texts and phones are normalized', async () => {
    const answer = await add(her, farhana.id)
    expect([answer.status, saved(answer)]).toEqual([
      200,
      {
        message: 'Address added successfully!',
        id: expect.any(Number),
        ...home,
        phone: '01811000001',
        email: 'farhana@customer.example',
        is_default: true,
      },
    ])
    expect(saved(await add(her, farhana.id, work))).toMatchObject({ is_default: false })
  })
  it('add: a form that is sent again, as after a lost answer, is one address', async () => {
    const [first, again, other] = [await add(her, farhana.id), await add(her, farhana.id), await add(her, farhana.id, work)]
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await all(her)).toHaveLength(2)
    expect(saved(other).id).not.toBe(saved(first).id)
  })
  it('all: the default first; only the customer’s own', async () => {
    await add(her, farhana.id)
    const admin = saved(await add(her, farhana.id, work))
    await add(him, selim.id)
    await her.post('/address/selectAddress', { address_id: admin.id })
    expect((await all(her)).map((one) => [one.address, one.is_default])).toEqual([
      ['Office', true],
      ['House 12, Road 7A', false],
    ])
  })
  it('customer-info: the customer, then the chosen address', async () => {
    const info = async () => (await her.get('/address/customer-info')).body
    expect(await info()).toMatchObject({
      id: farhana.id,
      name: 'Farhana',
      phone: farhana.phone,
      address: '',
      area_id: null,
      is_default: false,
    })
    const { id } = saved(await add(her, farhana.id))
    expect(await info()).toMatchObject({ id, customer_id: farhana.id, address: home.address, area_id: dhanmondi.id, is_default: true })
  })
  it('update: a multipart form, that leaves the landmark it does not have', async () => {
    const { id } = saved(await add(her, farhana.id))
    const fields = {
      name: 'ফারহানা',
      phone: '',
      alternate_phone: '01911000003',
      address: 'বাসা ৫',
      note: 'Ring twice',
      area_id: String(uttara.id),
    }
    const answer = await update(her, id, fields)
    const expected = { ...fields, id, area_id: uttara.id, landmark: 'Lake', is_default: true }
    expect([answer.status, saved(answer)]).toEqual([
      200,
      expect.objectContaining({ message: 'Address updated successfully!', ...expected }),
    ])
    expect(await all(her)).toEqual([expect.objectContaining(expected)])
    expect(saved(await her.post(`/address/update/${id}`, { ...home, landmark: '' }))).toMatchObject({ landmark: '', address: home.address })
  })
  it('selectAddress: makes it the default, as JSON and as a form', async () => {
    const first = saved(await add(her, farhana.id))
    const second = saved(await add(her, farhana.id, work))
    const answer = await her.post('/address/selectAddress', { _token: 'in the header', address_id: second.id })
    expect([answer.status, saved(answer)]).toEqual([
      200,
      expect.objectContaining({ id: second.id, is_default: true, message: 'Address saved successfully!' }),
    ])
    expect((await her.postForm('/address/selectAddress', { address_id: String(first.id) })).status).toBe(200)
    expect((await all(her)).map((one) => [one.id, one.is_default])).toEqual([
      [first.id, true],
      [second.id, false],
    ])
  })
  it('delete: the default goes to another; the last one leaves none', async () => {
    const first = saved(await add(her, farhana.id))
    const second = saved(await add(her, farhana.id, work))
    const third = saved(await add(her, farhana.id, { ...home, area_id: uttara.id }))
    const answer = await remove(her, first.id)
    expect([answer.status, answer.body]).toEqual([200, { message: 'Address deleted successfully!' }])
    expect((await all(her)).map((one) => [one.id, one.is_default])).toEqual([
      [third.id, true],
      [second.id, false],
    ])
    await remove(her, second.id)
    expect((await remove(her, second.id)).status).toBe(404)
    await remove(her, third.id)
    expect(await all(her)).toEqual([])
  })
})

describe('another’s address is 404 and unchanged', () => {
  it.each<[string, (id: number) => Promise<Answer>]>([
    ['update', (id) => update(him, id, { name: 'Thief', address: 'Elsewhere', area_id: String(uttara.id) })],
    ['select', (id) => him.post('/address/selectAddress', { address_id: id })],
    ['delete', (id) => remove(him, id)],
    ['add for another', () => add(him, farhana.id)],
    ['add for nobody', () => add(him, 999_999_999)],
  ])('%s', async (_name, attempt) => {
    await add(him, selim.id)
    const { id } = saved(await add(her, farhana.id))
    const before = await listRows()
    const answer = await attempt(id)
    const missing = await attempt(999_999)
    expect([answer.status, answer.body, missing.status]).toEqual([404, { message: answer.body.error, error: missing.body.error }, 404])
    expect(await listRows()).toEqual(before)
  })
  it('a guest gets 401 from all six routes', async () => {
    const { id } = saved(await add(her, farhana.id))
    const before = await listRows()
    const stranger = shop.visitor()
    const answers = await Promise.all([
      stranger.get('/address/customer-info', { accept: 'application/json' }),
      stranger.get('/address/all', { accept: 'application/json' }),
      add(stranger, farhana.id),
      add(stranger, farhana.id, { nonsense: true }),
      update(stranger, id, home as unknown as Record<string, string>),
      stranger.post('/address/selectAddress', { address_id: id }),
      remove(stranger, id),
    ])
    expect(answers.map((answer) => answer.status)).toEqual(Array(7).fill(401))
    expect(await listRows()).toEqual(before)
  })
})

it('an owner, a default or an id in the body is left out', async () => {
  await add(her, farhana.id)
  const answer = await add(her, farhana.id, {
    ...work,
    is_default: true,
    customer_id: selim.id,
    id: 1,
    email: 'x@y.example',
    role: 'owner',
  })
  expect(saved(answer)).toMatchObject({ is_default: false, email: 'farhana@customer.example' })
  expect(await all(him)).toEqual([])
  const { id } = saved(answer)
  await update(her, id, { name: 'A', address: 'B', area_id: String(uttara.id), is_default: '1', customer_id: String(selim.id) })
  expect((await all(her)).map((one) => one.is_default)).toEqual([true, false])
})

describe('bad input', () => {
  it.each<[string, object, string[]]>([
    ['nothing', {}, ['name', 'area_id', 'address']],
    ['255 and more', { ...home, name: 'x'.repeat(256), note: 'x'.repeat(256) }, ['name', 'note']],
    ['a phone that is none', { ...home, phone: '0171', alternate_phone: 'abc' }, ['phone', 'alternate_phone']],
    ['an area that is none', { ...home, area_id: 999_999 }, ['area_id']],
    ['an area that is closed', { ...home, area_id: closed.id }, ['area_id']],
    ['blank texts', { ...home, name: ' \u200b', address: '\n' }, ['name', 'address']],
    ['NUL', { ...home, address: 'a\u0000b' }, ['address']],
    ['half a letter', { ...home, note: 'a\ud800' }, ['note']],
    ['an array', { ...home, name: ['a'] }, ['name']],
    ['a number', { ...home, address: 12 }, ['address']],
    ['an area in words', { ...home, area_id: 'Dhanmondi' }, ['area_id']],
    ['minus an area', { ...home, area_id: -1 }, ['area_id']],
  ])('%s: 422 at the fields', async (_name, body, fields) => {
    const { id } = saved(await add(her, farhana.id))
    const before = await listRows()
    for (const path of [`/address/add/${farhana.id}`, `/address/update/${id}`]) {
      const answer = await her.post(path, body)
      expect([answer.status, Object.keys(answer.body.errors ?? {}).sort(), answer.body.error]).toEqual([
        422,
        fields.toSorted(),
        answer.body.message,
      ])
    }
    expect(await listRows()).toEqual(before)
  })
  it.each(['abc', '-1', '1.5', '9'.repeat(30), '%00', '1%20'])('the id %s is unknown', async (id) => {
    expect((await her.post(`/address/add/${id}`, home)).status).toBe(404)
    expect((await her.post(`/address/update/${id}`, home)).status).toBe(404)
    expect((await remove(her, id)).status).toBe(404)
  })
  it.each([null, 'x', 1.5, -1, [], {}, '9'.repeat(30)])('selectAddress of %j is 422', async (address_id) => {
    expect((await her.post('/address/selectAddress', { address_id })).status).toBe(422)
  })
  it('without a token, or with another session’s: 403, unchanged', async () => {
    const { id } = saved(await add(her, farhana.id))
    const before = await listRows()
    const token = await him.token()
    const answers = [
      await add(her, farhana.id, home, { token: null }),
      await add(her, farhana.id, home, { token }),
      await update(her, id, { name: 'x' }, { token }),
      await her.post('/address/selectAddress', { address_id: id }, { token }),
      await remove(her, id, token),
    ]
    expect(answers.map((answer) => answer.status)).toEqual(Array(5).fill(403))
    expect(await listRows()).toEqual(before)
  })
  it('a form that is broken, too large, has a field twice or a file', async () => {
    const { id } = saved(await add(her, farhana.id))
    const before = await listRows()
    const headers = { accept: 'application/json', 'x-csrf-token': await her.token() }
    const send = (body: string, boundary = 'x') =>
      her.send('POST', `/address/update/${id}`, body, {
        headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
      })
    const field = (name: string, value: string, more = '') =>
      `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
    const good = field('address', 'B') + field('area_id', String(uttara.id))
    expect((await send('nonsense')).status).toBe(400)
    expect((await send(field('name', 'A') + good)).status).toBe(400)
    expect((await send(field('name', 'x'.repeat(100_000)) + good + '--x--\r\n')).status).toBe(413)
    expect((await send(field('name', 'A') + field('name', 'B') + good + '--x--\r\n')).status).toBe(422)
    expect((await send(field('name', 'A', '; filename="a.txt"') + good + '--x--\r\n')).status).toBe(422)
    expect(await listRows()).toEqual(before)
    expect((await send(field('name', 'A') + field('__proto__', 'A') + good + '--x--\r\n')).status).toBe(200)
  })
  it('markup is text', async () => {
    const text = '"><img src=x onerror=alert(1)></script>'
    expect(saved(await add(her, farhana.id, { ...home, name: text, address: text }))).toMatchObject({ name: text, address: text })
  })
})

describe('at once', () => {
  it('twenty addresses and no more', async () => {
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, index) => add(her, farhana.id, { ...home, address: `House ${index}` })),
    )
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([...Array<number>(20).fill(200), ...Array<number>(5).fill(409)])
    const book = await all(her)
    expect([book.length, book.filter((one) => one.is_default).length]).toEqual([20, 1])
  })
  it('choosing, adding and deleting: always exactly one default', async () => {
    const ids = (await Promise.all(Array.from({ length: 6 }, (_, index) => add(her, farhana.id, { ...home, note: String(index) })))).map(
      (answer) => saved(answer).id,
    )
    const answers = await Promise.all([
      ...ids.map((id) => her.post('/address/selectAddress', { address_id: id })),
      ...ids.slice(0, 4).map((id) => remove(her, id)),
      ...ids.slice(0, 4).map((id) => remove(her, id)),
      add(her, farhana.id),
    ])
    expect(answers.every((answer) => [200, 404].includes(answer.status))).toBe(true)
    const book = await all(her)
    expect([book.length, book.filter((one) => one.is_default).length]).toEqual([3, 1])
  })
})
