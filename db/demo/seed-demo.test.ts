import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { verify } from '@node-rs/argon2'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#db/invariants/find-broken.ts'
import { LEDGER_INVARIANTS } from '#db/invariants/ledger-invariants.ts'
import { ORDER_INVARIANTS } from '#db/invariants/order-invariants.ts'
import { storeImage } from '#features/catalog/media/images.server.ts'
import { readSettings } from '#features/settings/settings.server.ts'
import { listTasks } from '#features/reports/dashboard-tasks.server.ts'
import { openUploads, uploadsFolder } from '#lib/files/uploads.server.ts'
import { testDb } from '#test/db.ts'
import { DEMO_PASSWORD } from './people.ts'
import { seedDemo } from './seed-demo.ts'

const { db, pool, reset } = await testDb()
const now = new Date('2026-03-01T20:00:00Z') // already 2 March in Dhaka
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-seed-'))
})
afterAll(() => rm(dataDir, { recursive: true }))

let storeCalls = 0
/** Rows without files: these tests read the tables only. */
async function store(): Promise<void> {
  storeCalls += 1
}

const count = async (query: string) => Number((await pool.query(`select count(*) as n from ${query}`)).rows[0].n)

describe('two processes fill an empty shop at the same time', () => {
  let answers: boolean[]
  beforeAll(async () => {
    answers = await Promise.all([1, 2].map(() => seedDemo(db, { uploads: uploadsFolder(dataDir), now, store })))
  })

  test('one of them fills it; the other and every later start change nothing', async () => {
    expect(answers.toSorted()).toEqual([false, true])
    expect(storeCalls).toBe(1)
    expect(await seedDemo(db, { uploads: uploadsFolder(dataDir), now, store })).toBe(false)
  })

  test('the demo breaks no rule that `shop check` and the tests look for', async () => {
    expect(await findBroken(db, { ...ORDER_INVARIANTS, ...LEDGER_INVARIANTS })).toEqual({})
    expect(await count(`sms_outbox where state <> 'submitted' or created_at > '2026-03-02T20:00:00Z'`)).toBe(0)
  })

  test('a later order has a higher number', async () => {
    const { rows } = await sql<{ id: number }>`select id from orders order by placed_at, id`.execute(db)
    expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toSorted((one, other) => one - other))
  })

  test('staff changed orders in the daytime, each step after the one before, none in the future', async () => {
    const late = `extract(hour from at at time zone 'Asia/Dhaka') not between 9 and 22`
    const early = `at < lag(at) over (partition by order_id order by id)`
    const steps = `(select at, actor, ${late} as late, ${early} as early from order_events) e`
    expect(await count(`${steps} where actor = 'staff'`)).toBeGreaterThan(15)
    expect(await count(`${steps} where (actor = 'staff' and late) or early or at > '${now.toISOString()}'`)).toBe(0)
  })

  test('every product has pictures; the last weigh-in of an animal is its weight', async () => {
    expect(await count('products')).toBeGreaterThanOrEqual(24 + 16 + 20)
    expect(await count(`products p where not exists (select 1 from product_media m where m.product_id = p.id and kind = 'image')`)).toBe(0)
    expect(
      await count(
        `products p where is_unique and weight_grams <> (select grams from weigh_ins w where w.product_id = p.id order by weighed_on desc limit 1)`,
      ),
    ).toBe(0)
    expect(
      await count(`products p where is_unique and (weight_grams::numeric / 1000 * (select poisha_per_kg from rate_tiers r
      where r.category_id = p.category_id and r.season = p.season and r.from_grams <= p.weight_grams order by from_grams desc limit 1)) - price_poisha not between -50 and 50`),
    ).toBe(0)
  })

  test('dates are relative to today in Dhaka', async () => {
    expect(await count(`products where delivery_on < '2026-03-03'`)).toBe(0)
    expect(await count(`weigh_ins where weighed_on > '2026-03-02'`)).toBe(0)
    expect((await readSettings(db)).kurbani).toMatchObject({ weighedTo: '2026-03-01' })
  })

  test('Kurbani cows are delivered in the days before the next Eid', async () => {
    expect((await readSettings(db)).kurbani).toMatchObject({ deliveryFrom: '2026-05-23', deliveryTo: '2026-05-27' })
    expect(await count(`products where category_id = 4 and delivery_on not between '2026-05-23' and '2026-05-27'`)).toBe(0)
    expect(await count(`orders where goods_on between '2026-05-23' and '2026-05-27'`)).toBeGreaterThanOrEqual(3)
  })

  test('orders have every status, sums equal payments, and booked animals are claimed by their orders', async () => {
    expect(await count('(select distinct status from orders) x')).toBe(7)
    expect(
      await count(
        `orders o where subtotal_poisha - discount_poisha <> (select sum(line_total_poisha) from order_lines where order_id = o.id)`,
      ),
    ).toBe(0)
    expect(
      await count(
        `orders o where status = 'completed' and total_poisha <> (select sum(amount_poisha) from ledger_entries where order_id = o.id)`,
      ),
    ).toBe(0)
    expect(
      await count(
        `order_lines l join products p on p.id = l.product_id where p.is_unique and not exists (select 1 from animal_holds c where c.product_id = p.id and c.order_id = l.order_id)`,
      ),
    ).toBe(0)
    expect(
      await count(`products p join animal_holds c on c.product_id = p.id where stock_milli <> 0 or status in ('in-stock', 'pre-book')`),
    ).toBe(0)
    for (const past of ['orders where placed_at', 'order_events where at', 'ledger_entries where at', 'advance_reports where decided_at'])
      expect(await count(`${past} > '${now.toISOString()}'`), past).toBe(0)
  })

  test('no order is late: booked animals have future delivery days, one within the days of the final weighing', async () => {
    const today = '2026-03-02'
    expect(await count(`orders o where deliver_on < '${today}' and status in ('placed', 'processing', 'on_delivery')`)).toBe(0)
    expect(await count(`orders where goods_on > '${today}' and status in ('placed', 'processing')`)).toBeGreaterThanOrEqual(5)
    const tasks = await listTasks(db, now)
    expect(Object.fromEntries(tasks.map(({ key, count }) => [key, count]))).toMatchObject({ deliver: 1, late: 0, weigh: 1, verify: 1 })
  })

  test('sales per day are summed in the same transaction', async () => {
    const [sums] = (
      await sql<{ days: number; orders: number }>`
      select (select sum(orders + lost_orders) from sales_days)::int as days, (select count(*) from orders)::int as orders`.execute(db)
    ).rows
    expect(sums?.days).toBeGreaterThan(0)
    expect(sums?.days).toBe(sums?.orders)
  })

  test('staff of all six roles and two customers can sign in', async () => {
    const { rows } = await pool.query('select role, phone, password_hash from users where password_hash is not null order by phone')
    expect(rows.map((row) => row.role)).toEqual(['owner', 'manager', 'sales', 'cashier', 'weigher', 'viewer', 'customer', 'customer'])
    expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await verify(rows[7].password_hash, DEMO_PASSWORD)).toBe(true)
  })

  test('one area is closed for cattle, and a new category gets an unused id', async () => {
    expect(await count(`area_charges where delivery_group = 'cattle' and not is_open`)).toBeGreaterThan(0)
    const { rows } = await pool.query(`insert into categories (slug, name_en, name_bn) values ('new', 'New', 'নতুন') returning id`)
    expect(rows[0].id).toBe(7)
  })
})

test('a failure of the files rolls back all rows', async () => {
  await reset()
  await expect(
    seedDemo(db, {
      uploads: uploadsFolder(dataDir),
      now,
      store: async () => {
        throw new Error('disk full')
      },
    }),
  ).rejects.toThrow('disk full')
  expect(await count(`users where role <> 'walk-in'`)).toBe(0)
  expect(await count('categories where key is null')).toBe(0)
})

test('an uploaded picture has a row; when the row fails, its files are removed', async () => {
  const bytes = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#888' } })
    .png()
    .toBuffer()
  const stored = await storeImage(db, openUploads(uploadsFolder(dataDir)), bytes)
  if (!stored.ok) throw new Error(stored.reason)
  const { rows } = await pool.query('select * from images where id = $1', [stored.imageId])
  expect(rows[0]).toMatchObject({ token: stored.picture.token, width: 320, height: 240, widths: [160, 320], is_illustration: false })

  const before = await readdir(path.join(dataDir, 'uploads'))
  await pool.query('alter table images add constraint full_up check (id < 0) not valid')
  await expect(storeImage(db, openUploads(uploadsFolder(dataDir)), bytes)).rejects.toThrow('full_up')
  expect(await readdir(path.join(dataDir, 'uploads'))).toEqual(before)
  await pool.query('alter table images drop constraint full_up')
})
