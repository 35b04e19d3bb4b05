import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { erasePerson } from '#features/customers/personal-data/erase-person.server.ts'
import { findPerson, readPersonalData } from '#features/customers/personal-data/read-personal-data.server.ts'
import { deleteExpiredRows } from '#server/jobs.ts'
import { buildArea, buildProduct, buildUser } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { testDb } from '#test/db.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { Props as DraftsProps } from '#site/admin/orders/drafts.page.tsx'
import { signedIn, stockOf, storeBody } from '../testing/admin-shop.ts'

// Clerks save unfinished orders by phone, and finish them.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const clerk = await signedIn(shop, 'sales')
const other = await signedIn(shop, 'manager')
const viewer = await signedIn(shop, 'viewer')
const area = await buildArea(db, { produce: 80 })
const honey = await buildProduct(db, { unit: 'piece', stock_milli: 10_000, name_en: 'Honey jar' })
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})
beforeEach(async () => void (await sql`delete from order_drafts`.execute(db)))

const line = { product_id: honey.id, name: 'Honey jar', quantity: '2', base_price: 120, price_on_order: '120' }
const form = (more: object = {}) => ({ name: 'Rahima', phone: '০১৭১২৩৪৫৬৭৮', note: 'after 5', products: [line], ...more })
const save = async (more: object = {}, who = clerk) =>
  (await who.post('/admin/orders/drafts', { form: form(more) })).body as unknown as { id: number; version: number }
const change = (id: number, version: number, more: object = {}, who = clerk) =>
  who.post(`/admin/orders/drafts/${id}`, { form: form(more), version })
const listed = async (who = clerk) => pageProps<DraftsProps>((await who.get('/admin/orders/drafts', { accept: 'text/html' })).text).drafts
const open = (id: number) => clerk.get(`/admin/orders/create?draft=${id}`, { accept: 'text/html' })
const order = (draft: object, who = clerk, key?: string) =>
  who.post('/admin/orders/store', storeBody(area.id, [[honey.id, 1]], { draft }), {
    headers: { 'idempotency-key': key ?? crypto.randomUUID() },
  })
const orderCount = async () => (await sql<{ n: number }>`select count(*)::int as n from orders`.execute(db)).rows[0]!.n

describe('a draft', () => {
  it('keeps what was typed, holds no stock, sends no SMS, and is seen by all clerks', async () => {
    const { id } = await save()
    expect(await listed(other)).toMatchObject([{ id, name: 'Rahima', phone: '০১৭১২৩৪৫৬৭৮', goods: 'Honey jar', lines: 1, version: 1 }])
    const props = pageProps<{ draft: { form: object } }>((await open(id)).text)
    expect(props.draft.form).toMatchObject({ note: 'after 5', products: [line], status: 'placed', is_collection: false })
    expect(await stockOf(db, honey.id)).toMatchObject({ left: 10 })
    expect((await sql`select 1 from sms_outbox`.execute(db)).rows).toEqual([])
  })

  it('of two clerks who change it, the second one is told who was first', async () => {
    const { id } = await save()
    expect((await change(id, 1, { name: 'Karim' }, other)).body).toMatchObject({ id, version: 2 })
    const second = await change(id, 1, { name: 'Jamal' })
    expect([second.status, second.body]).toEqual([409, expect.objectContaining({ reason: 'stale' })])
    expect(await listed()).toMatchObject([{ name: 'Karim', version: 2 }])
    const answers = await Promise.all([change(id, 2), change(id, 2, {}, other)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  it.each([0.125, 1e15, -1])('a list price of %d taka is an error: its page could not show it', async (base_price) => {
    const answer = await clerk.post('/admin/orders/drafts', { form: form({ products: [{ ...line, base_price }] }) })
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ['form.products.0.base_price']])
  })

  it('a repeated request under its key makes one draft', async () => {
    const headers = { 'idempotency-key': 'draft-of-rahima' }
    const answers = await Promise.all([1, 2, 3].map(() => clerk.post('/admin/orders/drafts', { form: form() }, { headers })))
    expect(new Set(answers.map(({ body }) => (body as { id?: number }).id)).size).toBe(1)
    expect(await listed()).toHaveLength(1)
  })

  it('that is saved again after a lost answer, with other words, is the same one', async () => {
    const attempt = (url: string, body: object, ...keys: string[]) =>
      clerk.post(url, body, { headers: { 'idempotency-key': keys[0]!, 'x-earlier-keys': keys.slice(1).join(' ') } })
    const first = await attempt('/admin/orders/drafts', { form: form() }, 'lost-answer-1')
    const { id } = first.body as unknown as { id: number }
    await attempt('/admin/orders/drafts', { form: form({ name: 'Rahima B' }) }, 'lost-answer-2', 'lost-answer-1')
    const third = await attempt(
      '/admin/orders/drafts',
      { form: form({ name: 'Rahima Begum' }) },
      'lost-answer-3',
      'lost-answer-1',
      'lost-answer-2',
    )
    expect(third.body).toMatchObject({ id, version: 3 })
    expect(await listed()).toMatchObject([{ id, name: 'Rahima Begum', version: 3 }])
    // The page knows version 3; the answers about the next two get lost.
    await attempt(`/admin/orders/drafts/${id}`, { form: form({ note: 'after 6' }), version: 3 }, 'lost-answer-4')
    const fifth = await attempt(
      `/admin/orders/drafts/${id}`,
      { form: form({ note: 'after 7' }), version: 3 },
      'lost-answer-5',
      'lost-answer-4',
    )
    expect([fifth.status, fifth.body]).toMatchObject([200, { id, version: 5 }])
    // Another clerk changes it: it stays theirs.
    await change(id, 5, { name: 'Karim' }, other)
    const stale = await attempt(
      `/admin/orders/drafts/${id}`,
      { form: form({ note: 'after 8' }), version: 3 },
      'lost-answer-6',
      'lost-answer-5',
    )
    expect(stale.status).toBe(409)
    await attempt('/admin/orders/drafts', { form: form({ note: 'after 8' }) }, 'lost-answer-7', 'lost-answer-5')
    expect((await listed()).map(({ name }) => name).toSorted()).toEqual(['Karim', 'Rahima'])
  })

  it.each([
    {},
    { form: null },
    { form: {} },
    { form: { name: '', phone: '' } },
    { form: form({ name: 'x'.repeat(256) }) },
    { form: form({ name: 'a\u0000b' }) },
    { form: form({ name: { $ne: '' } }) },
    { form: form({ more: 1 }) },
    { form: form({ products: Array.from({ length: 101 }, () => line) }) },
    { form: form({ products: [{ ...line, product_id: 'x' }] }) },
    { form: form({ status: 'eaten' }) },
  ])('%j is refused', async (body) => {
    expect((await clerk.post('/admin/orders/drafts', body)).status).toBe(422)
    expect(await listed()).toEqual([])
  })

  it('is deleted by a clerk who saw it as it is; a deleted one leads to the list', async () => {
    const { id } = await save()
    await change(id, 1)
    expect((await clerk.post(`/admin/orders/drafts/${id}/delete`, { version: 1 })).status).toBe(409)
    expect((await clerk.post(`/admin/orders/drafts/${id}/delete`, { version: 2 })).status).toBe(200)
    expect((await clerk.post(`/admin/orders/drafts/${id}/delete`, { version: 2 })).status).toBe(200)
    expect((await change(id, 2)).status).toBe(404)
    const opened = await open(id)
    expect([opened.status, opened.headers.location]).toEqual([303, '/admin/orders/drafts?gone=1'])
  })

  it('is for those who create orders', async () => {
    const { id } = await save()
    expect((await viewer.post('/admin/orders/drafts', { form: form() })).status).toBe(403)
    expect((await viewer.get('/admin/orders/drafts', { accept: 'text/html' })).status).toBe(403)
    expect((await shop.post(`/admin/orders/drafts/${id}`, { form: form(), version: 1 })).status).toBe(401)
  })

  it('is deleted 30 days after its last change', async () => {
    const [old, young] = [await save(), await save()]
    await sql`update order_drafts set updated_at = updated_at - interval '30 days 1 hour' where id = ${old.id}`.execute(db)
    expect((await listed()).map(({ id }) => id)).toEqual([young.id])
    await deleteExpiredRows({ db, now: () => shop.clock.now })
    expect((await sql<{ id: number }>`select id from order_drafts`.execute(db)).rows).toEqual([{ id: young.id }])
  })

  it('belongs to the data of its customer', async () => {
    const customer = await buildUser(db, { phone: '01799887766' })
    await save({ phone: '+8801799887766' })
    const person = (await findPerson(db, '01799887766'))!
    expect((await readPersonalData(db, person)).orderDrafts).toHaveLength(1)
    expect(await erasePerson(db, person, new Date())).toMatchObject({ ok: true })
    expect(await listed()).toEqual([])
    expect(customer.id).toBeGreaterThan(0)
  })
})

describe('an order from a draft', () => {
  it('ends the draft; the same request again is the same order', async () => {
    const { id, version } = await save()
    const key = crypto.randomUUID()
    const first = await order({ id, version }, clerk, key)
    expect(first.status).toBe(200)
    expect(await listed()).toEqual([])
    const again = await order({ id, version }, clerk, key)
    expect([again.status, again.body.order_id]).toEqual([200, first.body.order_id])
  })

  it('that is refused leaves the draft', async () => {
    const { id, version } = await save()
    const answer = await clerk.post('/admin/orders/store', storeBody(area.id, [[honey.id, 9999]], { draft: { id, version } }), {
      headers: { 'idempotency-key': crypto.randomUUID() },
    })
    expect(answer.status).toBe(410)
    expect(await listed()).toHaveLength(1)
  })

  it('ends a draft whose saving had no answer, unless another clerk has changed it since', async () => {
    const lost = (key: string, id?: number) =>
      clerk.post(
        `/admin/orders/drafts${id ? `/${id}` : ''}`,
        { form: form(), ...(id ? { version: 1 } : {}) },
        { headers: { 'idempotency-key': key } },
      )
    const create = (more: Record<string, unknown>, ...keys: string[]) =>
      clerk.post('/admin/orders/store', storeBody(area.id, [[honey.id, 1]], more), { headers: { 'x-draft-keys': keys.join(' ') } })
    await lost('lost-draft-1')
    expect((await create({}, 'lost-draft-1')).status).toBe(200)
    expect(await listed()).toEqual([])
    // The page of an opened draft knows its version of before the answer that was lost.
    const opened = await save()
    await lost('lost-draft-2', opened.id)
    expect((await create({ draft: opened }, 'lost-draft-2')).status).toBe(200)
    expect(await listed()).toEqual([])
    const { id } = (await lost('lost-draft-3')).body as unknown as { id: number }
    await change(id, 1, { name: 'Karim' }, other)
    expect((await create({}, 'lost-draft-3')).status).toBe(200)
    expect(await listed()).toMatchObject([{ id, name: 'Karim' }])
    // A save that arrives after its order.
    expect((await create({}, 'late-draft')).status).toBe(200)
    expect((await lost('late-draft')).status).toBe(409)
    expect(await listed()).toHaveLength(1)
  })

  it('of two clerks one creates the order; a changed draft is refused', async () => {
    const before = await orderCount()
    const { id } = await save()
    const answers = await Promise.all([order({ id, version: 1 }), order({ id, version: 1 }, other)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await orderCount()).toBe(before + 1)
    const changed = await save()
    await change(changed.id, 1)
    const refused = await order(changed)
    expect([refused.status, refused.body]).toEqual([409, expect.objectContaining({ reason: 'draft' })])
    expect(await orderCount()).toBe(before + 1)
    expect((await order({ id: 'x', version: 1 })).status).toBe(422)
  })
})
