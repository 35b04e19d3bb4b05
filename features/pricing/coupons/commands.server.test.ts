import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildCategory, buildProduct, buildUser } from '#test/factories.ts'
import { createCoupon, updateCoupon } from './commands.server.ts'
import { couponForm } from './forms.ts'
import { listCoupons } from './admin-queries.server.ts'
import { findCoupon } from './queries.server.ts'

const { db } = await testDb()
const who = { kind: 'staff' as const, id: (await buildUser(db, { role: 'manager', password: null })).id, ip: '' }
const now = new Date('2026-11-20T06:00:00Z')
const fruits = await buildCategory(db)
const mango = await buildProduct(db)
const written = (form: Record<string, unknown>) => couponForm.parse({ kind: 'percentage', percent: 10, ...form })
const make = async (form: Record<string, unknown>) => {
  const made = await createCoupon(db, who, written(form))
  if (!made.ok) throw new Error(made.reason)
  return made.value
}

describe('the coupon form', () => {
  it('converts percent, taka and local times to stored values', () => {
    const form = written({
      code: ' eid-১০ ',
      percent: 33.33,
      max_discount: 99.5,
      min_subtotal: 1000,
      starts_at: '2026-11-20T12:00',
    })
    expect(form).toMatchObject({
      code: 'EID-10',
      percent: 3333,
      max_discount: 9950,
      min_subtotal: 100_000,
      starts_at: new Date('2026-11-20T06:00:00Z'),
      ends_at: null,
      scope: 'all',
      active: true,
    })
  })
  it.each<[string, Record<string, unknown>, string[]]>([
    ['a negative percentage', { percent: -1 }, ['percent']],
    ['more than all', { percent: 100.01 }, ['percent']],
    ['nothing', { percent: 0 }, ['percent']],
    ['a percentage too fine', { percent: 1.234 }, ['percent']],
    ['no number', { percent: Number.NaN }, ['percent']],
    ['no taka off', { kind: 'others' }, ['value']],
    ['too fine a sum', { kind: 'others', value: 1.001 }, ['value']],
    ['a code with signs', { code: 'EID%' }, ['code']],
    ['a code too short', { code: 'AB' }, ['code']],
    ['an end before the beginning', { starts_at: '2026-11-20T12:00', ends_at: '2026-11-20T12:00' }, ['ends_at']],
    ['no instant', { ends_at: 'tomorrow' }, ['ends_at']],
    ['a list without products', { scope: 'products' }, ['product_ids']],
    ['a list without categories', { scope: 'categories' }, ['category_ids']],
    ['no uses at all', { max_uses: 0 }, ['max_uses']],
    ['half a use', { max_uses_per_customer: 1.5 }, ['max_uses_per_customer']],
    ['a long note', { note: 'x'.repeat(256) }, ['note']],
    ['NUL', { note: 'a\u0000' }, ['note']],
    ['another kind', { kind: 'gift' }, ['kind']],
  ])('rejects %s', (_name, form, fields) => {
    const parsed = couponForm.safeParse({ code: 'EID10', kind: 'percentage', percent: 10, ...form })
    expect(parsed.error?.issues.map((issue) => issue.path[0])).toEqual(fields)
  })
})

describe('coupons in the admin', () => {
  it('are created, listed with their uses, and found', async () => {
    const id = await make({
      code: 'FRUIT5',
      kind: 'free_shipping',
      percent: 0,
      value: 20,
      scope: 'categories',
      category_ids: [fruits.id, fruits.id],
      product_ids: [mango.id],
      max_uses: 5,
      note: ' For fruit ',
    })
    const expected = {
      id,
      code: 'FRUIT5',
      kind: 'free_shipping',
      value: 2000,
      scope: 'categories',
      categoryIds: [fruits.id],
      productIds: [],
      maxUses: 5,
      uses: 0,
      version: 1,
    }
    expect(await findCoupon(db, 'FRUIT5', 1)).toEqual({
      terms: expect.objectContaining(expected),
      customer: { uses: 0, hasOrdered: false },
    })
    expect(await listCoupons(db, { backward: false, from: null }, now)).toMatchObject({
      rows: [{ id, code: 'FRUIT5', value: 20, category_ids: [fruits.id], note: 'For fruit', uses: 0, state: 'running' }],
      next: null,
    })
    expect((await listCoupons(db, { backward: false, from: [String(id)] }, now)).rows).toEqual([])
  })
  it('have unique codes and reference existing products and categories', async () => {
    await make({ code: 'TWICE' })
    expect(await createCoupon(db, who, written({ code: 'twice' }))).toEqual({ ok: false, reason: 'code-taken' })
    expect(await createCoupon(db, who, written({ code: 'NOPRODUCT', scope: 'products', product_ids: [999_999] }))).toEqual({
      ok: false,
      reason: 'unknown-product',
    })
    expect(await createCoupon(db, who, written({ code: 'NOCATEGORY', scope: 'categories', category_ids: [999_999] }))).toEqual({
      ok: false,
      reason: 'unknown-category',
    })
    expect(await findCoupon(db, 'NOPRODUCT', 1)).toBeNull()
  })
  it('are updated with optimistic locking', async () => {
    const id = await make({ code: 'CHANGED', scope: 'products', product_ids: [mango.id] })
    const changes = await Promise.all([11, 12, 13].map((percent) => updateCoupon(db, who, id, 1, written({ code: 'CHANGED', percent }))))
    expect(changes.filter((change) => change.ok)).toHaveLength(1)
    expect(changes.filter((change) => !change.ok && change.reason === 'changed')).toHaveLength(2)
    expect((await findCoupon(db, 'CHANGED', 1))?.terms).toMatchObject({ version: 2, scope: 'all', productIds: [] })
    expect(await updateCoupon(db, who, 999_999, 1, written({ code: 'CHANGED' }))).toEqual({ ok: false, reason: 'not-found' })
  })
  it('cannot be limited below the number of uses', async () => {
    const id = await make({ code: 'USED', max_uses: 5 })
    await sql`update coupons set uses = 3 where id = ${id}`.execute(db)
    expect(await updateCoupon(db, who, id, 1, written({ code: 'USED', max_uses: 2 }))).toEqual({ ok: false, reason: 'limit-below-uses' })
    expect(await updateCoupon(db, who, id, 1, written({ code: 'USED', max_uses: 3 }))).toEqual({ ok: true, value: 2 })
  })
})
