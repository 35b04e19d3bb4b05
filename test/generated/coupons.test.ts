import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { openShop } from '#test/request.ts'
import { COUPON_STEP_NAMES, COUPON_STEPS, openCouponShop } from './coupon-shop.ts'
import { stepsOf } from './dice.ts'
import { runSteps } from './run-steps.ts'

// Generated orders and sales with coupons on web, phone and counter, edited, cancelled, reopened, merged and returned, some of them two at once.
// A coupon is never used more often than it may be, its shares add up to the poisha, and what comes back is worth what was charged.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const world = await openCouponShop(db, shop)
const before = await countStock(db)

afterAll(async () => {
  expect(shop.failures).toEqual([])
  await expectLedger(db, before)
})

/** Orders whose use of a coupon, or whose sums, are not as they must be. */
async function brokenOrders(): Promise<object[]> {
  const { rows } = await sql<object>`
    select o.id, o.status, 'use' as broken from orders o join coupon_uses u on u.order_id = o.id
      where (o.status = 'cancelled') <> (u.released_at is not null) and not (o.status <> 'cancelled' and exists (
        -- A reopened order takes its use again if one is left.
        select 1 from order_events e where e.order_id = o.id and e.from_status = 'cancelled'))
    union all
    select o.id, o.status, 'sums' from orders o
      where o.total_poisha <> o.subtotal_poisha - o.discount_poisha + o.shipping_poisha or o.total_poisha < 0 or o.discount_poisha > o.subtotal_poisha
    union all
    select o.id, o.status, 'shares' from orders o join coupon_uses u on u.order_id = o.id, lateral (
        select sum(discount_poisha) as shares, sum(line_total_poisha) as total from order_lines where order_id = o.id) l
      where u.kind <> 'free_shipping' and not exists (select 1 from order_events e where e.order_id = o.id and e.kind = 'edited')
        and l.shares <> l.total - (o.subtotal_poisha - o.discount_poisha)
    union all
    select o.id, o.status, 'returned' from orders o, lateral (select sum(worth_poisha) as worth from pos_returns where order_id = o.id) r
      where r.worth > o.total_poisha or (o.status = 'returned' and r.worth <> o.total_poisha and not exists (
        select 1 from order_lines l where l.order_id = o.id and l.quantity_milli > (select coalesce(sum(b.quantity_milli), 0)
          from pos_returns p join pos_return_lines b on b.return_id = p.id where p.order_id = o.id and b.product_id = l.product_id)))`.execute(
    db,
  )
  return rows
}

it('coupons are used as often as they may be, and their shares add up', { timeout: 600_000 }, async () => {
  await runSteps({
    db,
    clock: shop.clock,
    count: stepsOf(70),
    names: COUPON_STEP_NAMES,
    take: (name, dice) => COUPON_STEPS[name](world, dice),
    refusals: [400, 404, 409, 410, 422],
    check: async () => {
      await expectInvariants(db, before)
      expect(await brokenOrders()).toEqual([])
    },
  })
})

it('what is left of each delivered order comes back for what is left of its total', { timeout: 600_000 }, async () => {
  const { rows } = await sql<{ id: number; version: number; lines: { product_id: number; milli: number }[] }>`
    select o.id, o.version, (select jsonb_agg(jsonb_build_object('product_id', l.product_id, 'milli', l.quantity_milli - coalesce((
        select sum(b.quantity_milli) from pos_returns p join pos_return_lines b on b.return_id = p.id where p.order_id = o.id and b.product_id = l.product_id), 0)))
      from order_lines l where l.order_id = o.id) as lines
    from orders o where status in ('on_delivery', 'delivered', 'completed') order by id`.execute(db)
  for (const { id, version, lines } of rows) {
    const left = lines.filter(({ milli }) => milli > 0).map(({ product_id, milli }) => ({ product_id, quantity: milli / 1000 }))
    const answer = await world.manager.post(`/admin/orders/returns/${id}`, { lines: left, reason: 'All of it', version })
    expect(answer.status, `${id}: ${answer.text}`).toBe(200)
  }
  expect(await brokenOrders()).toEqual([])
  await expectInvariants(db, before)
})
