// Generates orders of the last two years for benchmarks: one to three lines each, most of them delivered and paid. It inserts them by
// `insert ... select` in batches of 50,000. SQL `insert_orders` is not used: it places orders of now, one by one from JSON, and takes stock.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { withoutTimeouts } from '../long-transaction.ts'

const BATCH = 50_000
const ORDERS_PER_CUSTOMER = 8

/** Inserts `count` orders with their lines, events, payments and customers. */
export async function addOrders(db: Db, count: number, log: (line: string) => void): Promise<void> {
  if (count > 0 && !(await hasProducts(db)))
    throw new SettingsError('Orders need products that are sold by the piece or by weight. Add some with --products, or in the admin.')
  const run = randomUUID()
  for (let done = 0; done < count; done += BATCH) {
    const size = Math.min(BATCH, count - done)
    await withoutTimeouts(db, (tx) => addBatch(tx, run, done, done + size, count))
    log(`${done + size} of ${count} orders`)
  }
}

async function hasProducts(db: Db): Promise<boolean> {
  const products = db.selectFrom('products').select('id').where('is_unique', '=', false).limit(1)
  return (await products.executeTakeFirst()) !== undefined
}

async function addBatch(tx: Db, run: string, from: number, to: number, total: number): Promise<void> {
  await prepareCustomers(tx, from, to)
  await prepareLines(tx, from, to)
  // The tracking code, unique to this run, joins new orders to their lines.
  await sql`
    insert into orders (source, status, reason, customer_id, name, phone, address, area_id, lang, subtotal_poisha, shipping_poisha, discount_poisha,
      total_poisha, payment_type, payment_gateway, payable_poisha, list_on, placed_at, view_key, tracking_code)
    select (array['web', 'web', 'web', 'admin', 'pos'])[1 + n % 5], status, case when status in ('cancelled', 'returned') then 'Made up for measuring' end,
      c.id, c.name, c.phone, 'House ' || n % 200 || ', Road ' || n % 40, areas.ids[1 + n % nullif(cardinality(areas.ids), 0)], (array['en', 'bn'])[1 + n % 2],
      subtotal, 8000, 0, subtotal + 8000, case when n % 3 = 0 then 'full' else 'cash_on_delivery' end,
      case when n % 3 = 0 then 'sslcommerz' else 'NONE' end, case when n % 3 = 0 then subtotal + 8000 else 0 end,
      (placed_at at time zone 'Asia/Dhaka' + interval '3 hours')::date + 1, placed_at, md5('view' || ${run}::text || n), md5(${run}::text || n)
    from (select order_n as n, sum(line_total_poisha)::bigint as subtotal from bulk_lines group by order_n) o
    cross join lateral (select now() - (${total}::bigint - n) * (interval '730 days' / ${total}::bigint) as placed_at,
      case when n % 50 = 0 then 'placed' when n % 50 = 1 then 'processing' when n % 50 = 2 then 'on_delivery' when n % 50 in (3, 4) then 'delivered'
        when n % 50 in (5, 6) then 'cancelled' when n % 50 = 7 then 'returned' else 'completed' end as status) w
    join bulk_customers c on c.k = o.n / ${ORDERS_PER_CUSTOMER}
    cross join (select array_agg(id order by id) as ids from areas) areas
    order by o.n`.execute(tx)
  await sql`create temp table bulk_orders on commit drop as
    select b.n, o.id, o.status, o.total_poisha, o.payment_type, o.placed_at
    from (select distinct order_n as n from bulk_lines) b join orders o on o.tracking_code = md5(${run}::text || b.n)`.execute(tx)
  await sql`analyze bulk_orders`.execute(tx)
  await sql`
    insert into order_lines (order_id, position, product_id, name_en, name_bn, unit, quantity_milli, base_price_poisha, price_poisha, line_total_poisha)
    select o.id, l.position + 1, l.product_id, l.name_en, l.name_bn, l.unit, l.quantity_milli, l.price_poisha, l.price_poisha, l.line_total_poisha
    from bulk_lines l join bulk_orders o on o.n = l.order_n order by o.id, l.position`.execute(tx)
  await sql`
    insert into order_events (order_id, at, actor, kind, from_status, to_status)
    select id, placed_at, 'customer', 'placed', null, 'placed' from bulk_orders
    union all select id, placed_at + interval '2 days', 'staff', 'status', 'placed', status from bulk_orders where status <> 'placed'`.execute(
    tx,
  )
  await sql`
    insert into ledger_entries (order_id, kind, method, amount_poisha, reference, at)
    select id, case when payment_type = 'full' then 'gateway' else 'cash_on_delivery' end, case when payment_type = 'full' then 'sslcommerz' else 'cash' end,
      total_poisha, case when payment_type = 'full' then md5('paid' || ${run}::text || n) end, placed_at + interval '1 day'
    from bulk_orders where status in ('delivered', 'completed')`.execute(tx)
}

/** Customers have 013 numbers, which no demo account has. Customers of an earlier run are reused. */
async function prepareCustomers(tx: Db, from: number, to: number): Promise<void> {
  const [first, last] = [Math.floor(from / ORDERS_PER_CUSTOMER), Math.floor((to - 1) / ORDERS_PER_CUSTOMER)]
  await sql`
    insert into users (name, phone, created_at)
    select (array['Rahim', 'Karim', 'Fatema', 'Nasrin', 'Sabbir', 'Jahanara', 'Mizan', 'Shamima'])[1 + n % 8] || ' ' ||
      (array['Uddin', 'Akter', 'Hossain', 'Begum', 'Islam', 'Khatun', 'Ahmed'])[1 + n % 7], '013' || lpad(n::text, 8, '0'), now() - interval '2 years'
    from generate_series(${first}::int, ${last}::int) n on conflict (phone) do nothing`.execute(tx)
  await sql`create temp table bulk_customers on commit drop as
    select substr(phone, 4)::int as k, id, name, phone from users
    where phone between '013' || lpad(${first}::text, 8, '0') and '013' || lpad(${last}::text, 8, '0')`.execute(tx)
  await sql`analyze bulk_customers`.execute(tx)
}

/** One to three different products per order, never animals. */
async function prepareLines(tx: Db, from: number, to: number): Promise<void> {
  await sql`create temp table bulk_products on commit drop as
    select row_number() over (order by id) - 1 as k, id, name_en, name_bn, unit, price_poisha, coalesce(sizes_milli[1], 1000)::bigint as step
    from products where not is_unique order by id limit 100000`.execute(tx)
  await sql`analyze bulk_products`.execute(tx)
  await sql`create temp table bulk_lines on commit drop as
    select n as order_n, position, g.id as product_id, g.name_en, g.name_bn, g.unit, g.price_poisha, g.step * (1 + n % 3) as quantity_milli,
      (g.price_poisha * g.step * (1 + n % 3) / 1000)::bigint as line_total_poisha
    from (select n, position, (n * 7919 + position) % products.count as k
      from (select count(*) from bulk_products) products, generate_series(${from}::bigint, ${to - 1}::bigint) n, generate_series(0, 2) position
      where position <= n % 3 and position < products.count) chosen
    join bulk_products g on g.k = chosen.k`.execute(tx)
  await sql`analyze bulk_lines`.execute(tx)
}
