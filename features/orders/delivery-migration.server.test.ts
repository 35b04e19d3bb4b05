import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import { migrate } from '#server/migrate.ts'
import { newDatabase } from '#test/db.ts'

const MIGRATIONS = path.resolve(import.meta.dirname, '../../db/migrations')

const STATUSES = ['placed', 'processing', 'on_delivery', 'delivered', 'cancelled']

// Orders of a fruit, a cow, both or neither in each status, from before product delivery dates.
const BEFORE = `
  insert into users (id, name, phone) overriding system value values (900, 'Rahima', '01811000001');
  insert into products (id, category_id, name_en, name_bn, price_poisha, unit, is_unique, stock_milli, tag_number, delivery_on, status, hold_reason) overriding system value values
    (901, 3, 'Mango', 'আম', 100, 'kg', false, null, null, '2026-12-04', 'pre-book', null), (902, 4, 'Cow', 'গরু', 100, 'piece', true, 0, 'K-1', '2026-12-13', 'hold', 'booked'),
    (903, 3, 'Cane', 'আখ', 100, 'piece', false, null, null, null, 'in-stock', null);
  insert into orders (id, customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type,
    payment_gateway, payable_poisha, list_on, placed_at, view_key, tracking_code, status, reason) overriding system value
  select 1000 + 10 * s.at + g.at, 900, 'Rahima', '01811000001', 'House 1', 0, 0, 0, 0, 'full', 'NONE', 0, '2026-11-23', '2026-11-22', 'k',
    'tracking-code-' || s.at || '-' || g.at, s.status, case when s.status = 'cancelled' then 'why' end
  from unnest('{${STATUSES.join()}}'::text[]) with ordinality s(status, at), generate_series(1, 4) g(at);
  insert into order_lines (order_id, position, product_id, name_en, name_bn, unit, quantity_milli, base_price_poisha, price_poisha, line_total_poisha, tag_number)
  select o.id, p.id - 900, p.id, p.name_en, p.name_bn, p.unit, 1000, 0, 0, 0, p.tag_number from orders o join products p on
    (p.id = 901 and o.id % 10 in (1, 3)) or (p.id = 902 and o.id % 10 in (2, 3)) or (p.id = 903 and o.id % 10 = 4)`

it('the migration sets the product dates of unsent orders and leaves the others unchanged', async () => {
  const { url, drop } = await newDatabase({ template: 'template1' })
  const dir = await mkdtemp(path.join(tmpdir(), 'khamar-dates-'))
  const client = new pg.Client({ connectionString: url })
  try {
    const names = (await readdir(MIGRATIONS)).filter((name) => name < '0111')
    await Promise.all(names.map((name) => copyFile(path.join(MIGRATIONS, name), path.join(dir, name))))
    await migrate(url, { dir })
    await client.connect()
    await client.query(BEFORE)
    await migrate(url)
    const { rows } = await client.query<{ status: string; dates: string[] }>(
      `select status, array_agg(to_char(deliver_on, 'MM-DD') order by id) as dates from orders group by status`,
    )
    const [list, fruit, cow] = ['11-23', '12-04', '12-13']
    const byStatus = new Map(rows.map(({ status, dates }) => [status, dates]))
    expect(byStatus.get('placed')).toEqual([fruit, cow, cow, list])
    expect(byStatus.get('processing')).toEqual([fruit, cow, cow, list])
    for (const status of ['on_delivery', 'delivered', 'cancelled']) expect(byStatus.get(status)).toEqual([list, cow, cow, list])
    const { rows: wrong } = await client.query(
      `select id from orders where status in ('placed', 'processing', 'on_delivery') and goods_on is distinct from latest_line_delivery_on(id)`,
    )
    expect(wrong).toEqual([])
  } finally {
    await client.end()
    await rm(dir, { recursive: true })
    await drop()
  }
})
