import { describe, expect, test } from 'vitest'
import { uploadsFolder } from '#lib/files/uploads.server.ts'
import { testDb } from '#test/db.ts'
import { buildProduct } from '#test/factories.ts'
import { seedDemo } from '../demo/seed-demo.ts'
import { readFlags, seed } from '../seed.ts'
import { addOrders } from './bulk-orders.ts'
import { addProducts } from './bulk-products.ts'
import { WORD_COUNT, wordPair } from './names.ts'

describe('the command line', () => {
  test('numbers or nothing', () => {
    expect(readFlags([])).toEqual({ products: 0, orders: 0 })
    expect(readFlags(['--products', '100000', '--orders=1000000'])).toEqual({ products: 100_000, orders: 1_000_000 })
  })

  test.each([
    ['--products', 'many'],
    ['--products', '1.5'],
    ['--products=-1'],
    ['--orders', '10000001'],
    ['--orders'],
    ['--cows', '3'],
    ['7'],
  ])('rejected in one line: %s %s', (...args) => {
    expect(() => readFlags(args.filter(Boolean))).toThrow(/^[^\n]+npm run seed[^\n]+$/)
  })
})

test('words are never used twice, in either script', () => {
  const words = Array.from({ length: 50_000 }, (_, i) => wordPair(i))
  expect(new Set(words.map((word) => word.en)).size).toBe(50_000)
  expect(new Set(words.map((word) => word.bn)).size).toBe(50_000)
  expect(wordPair(WORD_COUNT - 1)).not.toEqual(wordPair(0))
})

describe('many of everything', async () => {
  const { db, pool, url } = await testDb()
  const count = async (query: string) => Number((await pool.query(`select count(*) as n from ${query}`)).rows[0].n)
  const said: string[] = []

  test('products go on counting where the last run stopped', async () => {
    await seedDemo(db, { uploads: uploadsFolder('/nowhere'), now: new Date(), store: async () => {}, videos: false })
    const before = await count('products')
    await addProducts(db, 300, (line) => said.push(line))
    await addProducts(db, 200, (line) => said.push(line))
    expect(await count('products')).toBe(before + 500)
    expect(await count(`(select distinct name_bn from products where barcode like '21%') x`)).toBe(500)
    expect(await count(`products p where not exists (select 1 from product_media where product_id = p.id)`)).toBe(0)
    expect(await count(`products where is_unique and price_poisha = 0`)).toBe(0)
    expect(said).toEqual(['300 of 300 products', '200 of 200 products'])
  })

  test('orders add up, and only paid ones have payments', async () => {
    const before = await count('orders')
    await addOrders(db, 400, () => {})
    expect(await count('orders')).toBe(before + 400)
    expect(
      await count(
        `orders o where subtotal_poisha <> (select sum(line_total_poisha) from order_lines where order_id = o.id) and view_key ~ '^[0-9a-f]{32}$'`,
      ),
    ).toBe(0)
    expect(
      await count(
        `orders o join ledger_entries l on l.order_id = o.id where o.status in ('placed', 'cancelled') and o.view_key ~ '^[0-9a-f]{32}$'`,
      ),
    ).toBe(0)
    expect(await count('(select distinct status from orders) x')).toBe(7)
    expect(await count('orders where placed_at > now()')).toBe(0)
  })

  test.each([
    [0, 0],
    [1, 0],
    [0, 1],
    [3, 5],
  ])('the command adds %i products and %i orders, and ends with the new totals', async (products, orders) => {
    const before = { products: await count('products'), orders: await count('orders') }
    const lines: string[] = []
    await seed(url, { products, orders }, uploadsFolder('/nowhere'), (line: string) => lines.push(line))
    const total = `The shop now has ${before.products + products} products, ${before.orders + orders} orders`
    expect(lines.at(-1)).toContain(total)
    expect(await count('products')).toBe(before.products + products)
    expect(await count('orders')).toBe(before.orders + orders)
  })

  test('a deleted product leaves no number that is given twice', async () => {
    await pool.query(`delete from products where barcode like '21%' and id not in (select product_id from order_lines)
      and id < (select max(id) from products where barcode like '21%')`)
    const before = await count('products')
    await addProducts(db, 5, () => {})
    expect(await count('products')).toBe(before + 5)
  })
})

describe('a shop with few products', async () => {
  const { db, pool } = await testDb()

  test('orders need one product and no area', async () => {
    await expect(addOrders(db, 3, () => {})).rejects.toThrow(/^Orders need products/)
    await buildProduct(db, {})
    await addOrders(db, 3, () => {})
    expect((await pool.query('select count(*)::int as n from order_lines')).rows).toEqual([{ n: 3 }])
  })
})
