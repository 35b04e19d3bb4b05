import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import { migrate } from '#server/migrate.ts'
import { newDatabase } from '#test/db.ts'

const MIGRATIONS = path.resolve(import.meta.dirname, '../../db/migrations')

// A weighed order, a sale with a partial return, and a sale that was returned in two parts.
const BEFORE = `
  insert into users (id, name, phone, role) overriding system value values (900, 'Rahima', '01811000001', 'customer'), (901, 'Karim', '01811000002', 'cashier');
  insert into orders (id, customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type,
    payment_gateway, payable_poisha, list_on, placed_at, view_key, tracking_code, status, reason, source) overriding system value
  select id, 900, 'Rahima', '01811000001', '', 35000, 0, 0, 35000, 'full', 'NONE', 35000, '2026-11-23', '2026-11-22', 'k', 'tracking-code-' || id, status, reason, source
  from (values (1001, 'delivered', null, 'web'), (1002, 'completed', null, 'pos'), (1003, 'returned', 'Not ripe', 'pos')) o(id, status, reason, source);
  insert into ledger_entries (order_id, kind, method, amount_poisha, reference) values
    (1001, 'advance', 'bkash', 10000, 'A1'), (1001, 'settlement', 'weighing', -500, 'weighing-1'),
    (1002, 'counter', 'cash', 35000, null), (1002, 'refund', 'cash', -17500, null), (1002, 'settlement', 'return', 17500, 'return-1'),
    (1003, 'counter', 'cash', 35000, null), (1003, 'refund', 'cash', -17500, null), (1003, 'settlement', 'return', 17500, 'return-2'),
    (1003, 'refund', 'cash', -17500, null), (1003, 'settlement', 'return', -17500, 'return-3')`

const SUMS = `select id, ledger_balance_poisha, refunded_poisha, settlement_poisha, spent_poisha, amount_due(o) as due, amount_received(o) as received
  from orders o order by id`

it('returns become a kind of their own, and every sum stays', async () => {
  const { url, drop } = await newDatabase({ template: 'template1' })
  const dir = await mkdtemp(path.join(tmpdir(), 'khamar-returns-'))
  const client = new pg.Client({ connectionString: url })
  try {
    const names = (await readdir(MIGRATIONS)).filter((name) => name < '0129')
    await Promise.all(names.map((name) => copyFile(path.join(MIGRATIONS, name), path.join(dir, name))))
    await migrate(url, { dir })
    await client.connect()
    await client.query(BEFORE)
    const before = (await client.query(SUMS)).rows
    expect(before.map(({ due }) => due)).toEqual(['25500', '0', '0'])
    await migrate(url)
    expect((await client.query(SUMS)).rows).toEqual(before)
    const { rows } = await client.query('select order_id, kind, count(*)::int as n from ledger_entries group by 1, 2 order by 1, 2')
    expect(rows.filter(({ kind }) => kind === 'settlement' || kind === 'return')).toEqual([
      { order_id: '1001', kind: 'settlement', n: 1 },
      { order_id: '1002', kind: 'return', n: 1 },
      { order_id: '1003', kind: 'return', n: 2 },
    ])
    // A later return counts in the same column.
    await client.query(`insert into ledger_entries (order_id, kind, method, amount_poisha, reference) values
      (1002, 'refund', 'cash', -17500, null), (1002, 'return', 'return', 17500, 'return-4')`)
    expect((await client.query(SUMS)).rows[1]).toMatchObject({
      ledger_balance_poisha: '35000',
      settlement_poisha: '-35000',
      due: '0',
      received: '0',
    })
  } finally {
    await client.end()
    await rm(dir, { recursive: true })
    await drop()
  }
})
