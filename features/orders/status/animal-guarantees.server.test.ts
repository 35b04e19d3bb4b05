import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'

// Constraints and functions of the database that protect animals from every writer [S1].

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const cow = await buildAnimal(db)
const honey = await buildProduct(db, { unit: 'piece', stock_milli: 5000 })
const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
const ofCow = (
  await shop.post(
    '/customer-orders',
    orderBody(area.id, [[cow.id, 1]], { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 10_000 }),
  )
).body.order_id
const ofHoney = (await shop.post('/customer-orders', orderBody(area.id, [[honey.id, 1]], cash))).body.order_id

it.each([
  ['a second claim on an animal', sql`insert into animal_holds (product_id, order_id) values (${cow.id}, ${ofHoney})`, 'animal_holds_pkey'],
  ['stock below zero', sql`update products set stock_milli = stock_milli - 6000 where id = ${honey.id}`, 'amount_check'],
  ['two of one animal', sql`update products set stock_milli = 2000 where id = ${cow.id}`, 'animal_is_one'],
  [
    'an animal of which there is none, in stock',
    sql`update products set status = 'in-stock' where id = ${cow.id}`,
    'free_animal_has_stock',
  ],
  ['an animal without a tag', sql`update products set tag_number = null where id = ${cow.id}`, 'animal_has_tag'],
  ['two animals with one tag', sql`update products set tag_number = ${cow.tag_number} where id = ${honey.id}`, 'products_tag_number_key'],
  ['a price below zero', sql`update products set price_poisha = -1 where id = ${honey.id}`, 'price_check'],
  [
    'a discount above the price',
    sql`update products set discount_kind = 'fixed', discount_value = price_poisha + 1 where id = ${honey.id}`,
    'discount_in_bounds',
  ],
  ['a total that does not add up', sql`update orders set total_poisha = total_poisha - 1 where id = ${ofHoney}`, 'total_adds_up'],
  ['a free order that costs something', sql`update orders set is_free_order = true where id = ${ofHoney}`, 'free_means_nothing_to_pay'],
  ['more to pay than the total', sql`update orders set payable_poisha = total_poisha + 1 where id = ${ofHoney}`, 'payable_at_most_total'],
  ['an end without a reason', sql`update orders set status = 'cancelled', reason = ' ' where id = ${ofHoney}`, 'ended_has_reason'],
  ['an unknown status', sql`update orders set status = 'paid' where id = ${ofHoney}`, 'order_status_check'],
  ['a phone that is none', sql`update orders set phone = '0171234567' where id = ${ofHoney}`, 'mobile_phone_check'],
  [
    'one product twice in an order',
    sql`insert into order_lines select order_id, 2::smallint, product_id, name_en, name_bn, unit, quantity_milli, base_price_poisha, price_poisha, line_total_poisha from order_lines where order_id = ${ofHoney}`,
    'order_lines_product',
  ],
  [
    'the same money counted twice',
    sql`insert into ledger_entries (order_id, kind, method, amount_poisha, reference) select ${ofHoney}::bigint, 'gateway', 'bkash', 100, 'TRX1' from generate_series(1, 2)`,
    'ledger_entries_method_reference_key',
  ],
  [
    'one transfer verified for two orders',
    sql`insert into advance_reports (order_id, method, transaction_id, amount_poisha, state) select unnest(array[${ofHoney}, ${ofCow}]::bigint[]), 'bank', 'TRX-123456', 100, 'verified'`,
    'advance_reports_verified',
  ],
  [
    'one transfer reported twice for an order',
    sql`insert into advance_reports (order_id, method, transaction_id, amount_poisha) select ${ofHoney}::bigint, 'bank', 'TRX-123457', 100 from generate_series(1, 2)`,
    'advance_reports_open',
  ],
  [
    'the same message twice',
    sql`insert into sms_outbox (purpose, order_id, template, phone, body) select purpose, order_id, template, phone, body from sms_outbox where order_id = ${ofHoney}`,
    'sms_outbox_purpose_order_id_template_phone_key',
  ],
  ['taking a product away that was ordered', sql`delete from products where id = ${honey.id}`, 'foreign key'],
])('rejects %s', async (_name, statement, constraint) => {
  await expect(statement.execute(db)).rejects.toThrow(new RegExp(constraint))
})

describe('two transactions reserve one animal by SQL alone', () => {
  it('one of them succeeds', async () => {
    const one = await buildAnimal(db)
    const reach = (order: number | undefined) =>
      sql`insert into animal_holds (product_id, order_id) values (${one.id}, ${order})`.execute(db)
    const results = await Promise.allSettled([reach(ofCow), reach(ofHoney)])
    expect(results.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
  it('releases only what was reserved, even when it runs repeatedly', async () => {
    for (let times = 0; times < 3; times++) await sql`select sync_order_stock(${ofHoney}, '[]')`.execute(db)
    const { rows } =
      await sql`select stock_milli, (select sum(delta_milli)::int from stock_movements where product_id = p.id) as moved from products p where id = ${honey.id}`.execute(
        db,
      )
    expect(rows[0]).toEqual({ stock_milli: 5000, moved: 0 })
  })
})
