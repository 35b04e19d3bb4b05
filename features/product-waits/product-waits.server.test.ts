import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { rowsRead } from '#test/rows-read.ts'
import { announceProducts } from './announce-products.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
beforeEach(async () => {
  await sql`truncate product_waits, attempt_counts, sms_outbox, sms_days cascade`.execute(db)
})

const DAY = new Date('2026-11-25T06:00:00Z')
const NIGHT = new Date('2026-11-25T20:30:00Z')
const MORNING = new Date('2026-11-26T02:00:00Z')
const cow = await buildAnimal(db, { status: 'hold', hold_reason: 'soon' })
const setStatus = (status: string, id = cow.id) =>
  sql`update products set status = ${status}, hold_reason = null where id = ${id}`.execute(db)
const hold = (id = cow.id) => sql`update products set status = 'hold', hold_reason = 'soon' where id = ${id}`.execute(db)
const send = (more: object = {}) => shop.visitor().post('/api/product-waits', { product_id: cow.id, phone: '01712345678', ...more })
const waits = async () => (await sql<{ phone: string; lang: string }>`select phone, lang from product_waits order by id`.execute(db)).rows
const messages = async () => (await sql<{ phone: string; body: string }>`select phone, body from sms_outbox order by id`.execute(db)).rows
const announce = (now = DAY, more: object = {}, on = db) =>
  announceProducts({
    db: on,
    now: () => now,
    env: { publicUrl: 'https://shop.example' },
    shopCache: { settings: async () => ({ ...DEFAULT_SETTINGS, ...more }) },
  })

describe('a wait', () => {
  beforeEach(() => hold())

  it('is stored once a product and phone, also when sent several times at once', async () => {
    const answers = await Promise.all(['01712345678', '০১৭১২৩৪৫৬৭৮', '+880 1712-345678'].map((phone) => send({ phone })))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(await waits()).toHaveLength(1)
  })

  it.each([
    ['phone', '123'],
    ['phone', ''],
    ['phone', null],
    ['phone', ['01712345678']],
    ['phone', 'x'.repeat(5000)],
    ['product_id', '1'],
    ['product_id', -1],
    ['product_id', 1e300],
    ['product_id', null],
    ['more', 'field'],
  ])('is refused with %s %j', async (field, value) => {
    expect((await send({ [field]: value })).status).toBe(422)
    expect(await waits()).toEqual([])
  })

  it('is refused for unknown and hidden products, and for those that need none', async () => {
    const hidden = await buildProduct(db, { visible: false, status: 'out-of-stock', stock_milli: 0 })
    for (const id of [hidden.id, 999_999_999]) expect((await send({ product_id: id })).status).toBe(404)
    for (const status of ['in-stock', 'pre-book', 'sold']) {
      await setStatus(status)
      expect((await send()).status).toBe(409)
    }
    expect(await waits()).toEqual([])
  })

  it('is one of at most 20 of a phone', async () => {
    const others = await Promise.all(Array.from({ length: 20 }, () => buildProduct(db, { status: 'out-of-stock', stock_milli: 0 })))
    await sql`insert into product_waits (product_id, phone, lang) select unnest(${others.map(({ id }) => id)}::bigint[]), '01712345678', 'en'`.execute(
      db,
    )
    expect((await send()).status).toBe(429)
    expect((await send({ product_id: others[0]!.id })).status).toBe(201)
    expect((await send({ phone: '01812345678' })).status).toBe(201)
    expect(await waits()).toHaveLength(21)
  })

  it('is one of at most 20 also when several are sent at once', async () => {
    const ids = (await Promise.all(Array.from({ length: 30 }, () => buildProduct(db, { status: 'out-of-stock', stock_milli: 0 })))).map(
      ({ id }) => id,
    )
    const [early, late] = [ids.slice(0, 19), ids.slice(19)]
    await sql`insert into product_waits (product_id, phone, lang) select unnest(${early}::bigint[]), '01712345678', 'en'`.execute(db)
    const visitor = shop.visitor()
    await visitor.post('/api/product-waits', { product_id: early[0], phone: '01712345678' })
    const answers = await Promise.all(late.map((id) => visitor.post('/api/product-waits', { product_id: id, phone: '01712345678' })))
    expect([answers.filter(({ status }) => status === 201).length, (await waits()).length]).toEqual([1, 20])
  })

  it('needs the anti-forgery token', async () => {
    const answer = await shop.visitor().post('/api/product-waits', { product_id: cow.id, phone: '01712345678' }, { token: 'wrong' })
    expect(answer.status).toBe(403)
  })
})

describe('the message', () => {
  beforeEach(() => hold())

  it('is queued once when the product can be ordered, by two processes at once', async () => {
    await send()
    await send({ phone: '01812345678' })
    expect([await announce(), await waits()]).toEqual([0, expect.arrayContaining([expect.anything()])])
    await setStatus('in-stock')
    const sent = await Promise.all([announce(), announce()])
    expect(sent[0]! + sent[1]!).toBe(2)
    expect((await messages()).map(({ phone }) => phone).toSorted()).toEqual(['01712345678', '01812345678'])
    expect((await messages())[0]!.body).toContain(`https://shop.example/product/${cow.id}`)
    expect([await waits(), await announce()]).toEqual([[], 0])
    await hold()
    await send()
    await setStatus('pre-book')
    expect(await announce()).toBe(1)
  })

  it('is one of three of a day for a number, whatever comes back; the other waits go on', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => buildProduct(db, { status: 'out-of-stock', stock_milli: 0 })))
    for (const { id } of others) expect((await send({ product_id: id })).status).toBe(201)
    expect((await send({ product_id: others[0]!.id, phone: '01812345678' })).status).toBe(201)
    for (const { id } of others) await setStatus('in-stock', id)
    for (let run = 0; run < 6; run++) await Promise.all([announce(), announce()])
    const phones = async () => (await messages()).map(({ phone }) => phone).toSorted()
    expect(await phones()).toEqual(['01712345678', '01712345678', '01712345678', '01812345678'])
    // A stranger books an animal, states the number, cancels, and does it again.
    for (let repeat = 0; repeat < 3; repeat++) {
      await hold()
      await send()
      await setStatus('in-stock')
      await announce()
    }
    expect([await phones(), await waits()]).toMatchObject([{ length: 4 }, { length: 2 }])
    await sql`update sms_outbox set created_at = created_at - interval '25 hours'`.execute(db)
    for (let run = 0; run < 3; run++) await announce()
    expect([await phones(), await waits()]).toMatchObject([{ length: 6 }, []])
  })

  it('leaves a fifth of the budget of the day to messages about orders, however many people wait', async () => {
    await sql`insert into product_waits (product_id, phone, lang) select ${cow.id}, '018000000' || n, 'en' from generate_series(10, 69) n`.execute(
      db,
    )
    await sql`insert into sms_days (day, sent) values ((now() at time zone 'Asia/Dhaka')::date, 25)`.execute(db)
    await sql`insert into sms_outbox (purpose, template, phone, body, expires_at) values ('staff', 'written', '01712345678', 'x', now() + interval '1 day')`.execute(
      db,
    )
    await setStatus('in-stock')
    const budget = { sms_daily_limit: 100 }
    expect([await announce(DAY, budget), await announce(DAY, budget)]).toEqual([54, 0])
    expect([await messages(), await waits()]).toMatchObject([{ length: 55 }, { length: 6 }])
    await sql`update sms_outbox set state = 'submitted'`.execute(db)
    await sql`update sms_days set day = day - 1`.execute(db)
    expect([await announce(DAY, budget), await waits()]).toEqual([6, []])
  })

  it('waits for the end of the quiet hours', async () => {
    await send()
    await setStatus('in-stock')
    expect([await announce(NIGHT), await messages()]).toEqual([0, []])
    expect(await announce()).toBe(1)
  })

  it('waits for the morning too where it still waits for a budget when the quiet hours begin', async () => {
    await send()
    await setStatus('in-stock')
    expect(await announce()).toBe(1)
    await sql`update sms_outbox set not_before = ${DAY}, expires_at = ${MORNING}`.execute(db)
    expect(await announce(NIGHT)).toBe(0)
    const { rows } = await sql`select state, not_before, expires_at > not_before as is_valid from sms_outbox`.execute(db)
    expect(rows).toEqual([{ state: 'queued', not_before: MORNING, is_valid: true }])
  })

  it('is not sent for a sold or archived animal', async () => {
    await send()
    await setStatus('sold')
    expect([await announce(NIGHT), await waits(), await messages()]).toEqual([0, [], []])
    await hold()
    await send()
    await sql`update products set archived_at = now(), visible = false where id = ${cow.id}`.execute(db)
    expect([await announce(), await waits(), await messages()]).toEqual([0, [], []])
    await sql`update products set archived_at = null, visible = true where id = ${cow.id}`.execute(db)
  })
})

it('a wait for a booked animal whose advance came lasts until the animal is sent', async () => {
  const area = await buildArea(db, { cattle: 1500 })
  const book = async () => {
    const { id } = await buildAnimal(db)
    const { body, text } = await shop.visitor().post('/customer-orders', orderBody(area.id, [[id, 1]]))
    expect(body.order_id, text).toBeTypeOf('number')
    expect((await send({ product_id: id })).status).toBe(201)
    await sql`update products set status = 'sold', hold_reason = null where id = ${id}`.execute(db)
    return { id, order: body.order_id! }
  }
  const [freed, sent] = [await book(), await book()]
  await sql`truncate sms_outbox cascade`.execute(db)
  expect([await announce(), await waits()]).toMatchObject([0, [{}, {}]])
  await sql`update orders set status = 'on_delivery' where id = ${sent.order}`.execute(db)
  expect([await announce(), await waits()]).toMatchObject([0, [{}]])
  const manager = await signedIn(shop, 'manager')
  const { rows } = await sql<{ version: number }>`select version from orders where id = ${freed.order}`.execute(db)
  const orders = [{ id: freed.order, version: rows[0]!.version }]
  await manager.post('/admin/orders/status', { orders, status: 'cancelled', reason: 'Changed their mind' })
  expect(await announce()).toBe(1)
  expect((await messages()).at(-1)?.body).toContain(`/product/${freed.id}`)
})

it('staff see the number of people who wait', async () => {
  await hold()
  await send()
  const viewer = await signedIn(shop, 'viewer')
  const { text } = await viewer.get(`/admin/products/${cow.id}`, { accept: 'text/html' })
  expect(pageProps<{ waiting: number }>(text).waiting).toBe(1)
})

it('the SMS of a number are counted for its due waits alone', async () => {
  await hold()
  await sql`insert into product_waits (product_id, phone, lang) select ${cow.id}, '017' || lpad(n::text, 8, '0'), 'bn' from generate_series(1, 300) n`.execute(
    db,
  )
  await sql`insert into sms_outbox (purpose, template, phone, body, state) select 'order', 'product-free-' || id, phone, 'x', 'submitted' from product_waits`.execute(
    db,
  )
  await sql`analyze product_waits, sms_outbox`.execute(db)
  const read = await rowsRead(db, 'sms_outbox', async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    expect(await announce(DAY, {}, tx)).toBe(0)
  })
  expect(read).toBeLessThan(10)
})
