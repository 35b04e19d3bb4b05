import { afterAll, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildProduct } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'

// A cashier falls ill or leaves with an open shift: a manager counts the drawer, and the counter is free.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
shop.clock.now = new Date('2026-11-20T17:50:00Z')
const [gone, next, manager] = [await signedIn(shop, 'cashier'), await signedIn(shop, 'cashier'), await signedIn(shop, 'manager')]
const honey = await buildProduct(db, { unit: 'kg', stock_milli: null, price_poisha: 12_300 })
const opened = await gone.post('/admin/quick-orders/shift/open', { opening_cash: 500, register: 'Front' })
const shiftId = (opened.body as { shift_id?: number }).shift_id!
const sale = {
  products: [{ id: honey.id, quantity: 1 }],
  transactions: { cash: 23, bkash: 100 },
  transaction_ids: { bkash: 'BK12345678' },
  total: 123,
  customer: { phone: '01712345678' },
}
expect((await gone.post('/admin/quick-orders/store', sale)).status).toBe(200)
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

const html = { accept: 'text/html' }
const COUNT = { counted_cash: 520, counted_bkash: 100, counted_bank: 0 }
const close = (who: typeof gone, id: unknown, body: object = COUNT) => who.post(`/admin/quick-orders/shift/close/${String(id)}`, body)

it('only managers close the shift of another cashier, with a reason for a difference', async () => {
  for (const who of [gone, next]) {
    expect((await close(who, shiftId)).status).toBe(403)
    expect((await who.get(`/admin/quick-orders/close/${shiftId}`, html)).status).toBe(403)
  }
  const page = await manager.get(`/admin/quick-orders/close/${shiftId}`, html)
  expect(pageProps(page.text)).toMatchObject({ shiftId, of: { id: gone.id }, payments: [{ reference: 'BK12345678' }] })
  expect(await close(manager, shiftId)).toMatchObject({ status: 422, body: { differences: { cash: -3, bkash: 0, bank: 0 } } })
  for (const id of [0, -1, 'x', '1e3', 999_999])
    expect([id, [404, 409, 422].includes((await close(manager, id)).status)]).toEqual([id, true])
  expect((await next.post('/admin/quick-orders/shift/open', { opening_cash: 0, register: 'Front' })).status).toBe(409)
})

it('after midnight: closed once, by name in the log, numbered, and the counter is free; its cashier opens another shift', async () => {
  const openSince = async () => pageProps<{ openSince: string | null }>((await gone.get('/admin/quick-orders', html)).text).openSince
  expect(await openSince()).toBeNull()
  shop.clock.now = new Date('2026-11-20T18:10:00Z')
  expect(await openSince()).toBe('2026-11-20T17:50:00.000Z')
  // The list of the new day names it to managers and its cashier; nobody would know which day to look at.
  const left = async (who: typeof gone, day = '') => {
    const page = await who.get(`/admin/quick-orders/shifts?day=${day}`, html)
    return pageProps<{ left: { id: number; register: string }[] }>(page.text).left.map(({ id, register }) => [id, register])
  }
  const [shown, mine, others, then] = [await left(manager), await left(gone), await left(next), await left(manager, '2026-11-20')]
  expect([shown, mine, others, then]).toEqual([[[shiftId, 'Front']], [[shiftId, 'Front']], [], []])
  const answers = await Promise.all([
    close(manager, shiftId, { ...COUNT, note: 'ill' }),
    close(manager, shiftId, { ...COUNT, note: 'ill' }),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await left(manager)).toEqual([])
  // The list of the day on which the shift was opened.
  expect(answers.map(({ body }) => body.redirect).filter(Boolean)).toEqual(['/admin/quick-orders/shifts?day=2026-11-20'])
  const shift = await db.selectFrom('pos_shifts').selectAll().where('id', '=', shiftId).executeTakeFirstOrThrow()
  expect(shift).toMatchObject({ cashier_id: gone.id, note: 'ill', z_number: 1, counted_cash_poisha: 52_000, expected_cash_poisha: 52_300 })
  const log = await db
    .selectFrom('audit_log')
    .select(['actor_id', 'after'])
    .where('subject', '=', 'shift')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(log).toMatchObject({ actor_id: manager.id, after: { closed: true, note: 'ill' } })
  expect((await manager.get(`/admin/quick-orders/close/${shiftId}`, html)).headers.location).toBe('/admin/quick-orders/shifts')
  expect((await next.post('/admin/quick-orders/shift/open', { opening_cash: 520, register: 'Front' })).status).toBe(200)
  // A sale of the closed shift that arrives late is not lost.
  const late = await gone.post('/admin/quick-orders/store', { ...sale, transaction_ids: {}, cashier_id: gone.id, shift_id: shiftId })
  expect([late.status, late.body.reason]).toEqual([409, 'no-shift'])
  const another = await gone.post('/admin/quick-orders/shift/open', { opening_cash: 0 })
  const own = (another.body as { shift_id?: number }).shift_id!
  expect((await gone.post('/admin/quick-orders/store', { ...sale, transaction_ids: {}, cashier_id: gone.id, shift_id: own })).status).toBe(
    200,
  )
})

it('the page of a closed shift does not close the next one of its cashier', async () => {
  const stale = await gone.post('/admin/quick-orders/shift/close', { ...COUNT, note: 'short', shift_id: shiftId })
  expect(stale.status).toBe(409)
  const shifts = db.selectFrom('pos_shifts').select('id').where('cashier_id', '=', gone.id).where('closed_at', 'is', null)
  const { id } = await shifts.executeTakeFirstOrThrow()
  const counts = { counted_cash: 23, counted_bkash: 100, counted_bank: 0 }
  expect((await gone.post('/admin/quick-orders/shift/close', { ...counts, shift_id: id })).status).toBe(200)
})
