// Seeds the demo shop into an empty database, and adds generated products and orders for benchmarks.
import { sql } from 'kysely'
import { openDb, type Db } from '#lib/db/db.server.ts'
import type { UploadsPlace } from '#lib/files/uploads.server.ts'
import { parseArguments } from '#lib/runtime/parse-arguments.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { addOrders } from './bulk/bulk-orders.ts'
import { addProducts } from './bulk/bulk-products.ts'
import { seedDemo } from './demo/seed-demo.ts'
import { onConnectionWithoutTimeouts } from './long-transaction.ts'

export const USAGE = 'npm run seed -- [--products N] [--orders N]'
const MAX = { products: 1_000_000, orders: 10_000_000 }

/** Parses the flags. Throws a `SettingsError` of one line unless they are whole numbers up to the limit. */
export function readFlags(args: string[]): { products: number; orders: number } {
  const { values } = parseArguments({ args, options: { products: { type: 'string' }, orders: { type: 'string' } } }, USAGE)
  const countOf = (name: 'products' | 'orders'): number => {
    const text = values[name] ?? '0'
    const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN
    if (!(number <= MAX[name])) throw new SettingsError(`--${name} must be a whole number from 0 to ${MAX[name]}, not "${text}". ${USAGE}`)
    return number
  }
  return { products: countOf('products'), orders: countOf('orders') }
}

/** Seeds the demo if the shop is empty, then adds the products and orders. Reports each step through `print`. */
export async function seed(
  url: string,
  counts: { products: number; orders: number },
  uploads: UploadsPlace,
  print = console.log,
): Promise<void> {
  const { db, close } = openDb(url, { applicationName: 'khamar-seed', max: 2 })
  try {
    const start = Date.now()
    if (await seedDemo(db, { uploads, now: new Date() })) print('Set up the demo shop.')
    await addProducts(db, counts.products, print)
    await addOrders(db, counts.orders, print)
    print(`${await onConnectionWithoutTimeouts(db, countRows)} (${Math.round((Date.now() - start) / 1000)} s)`)
  } finally {
    await close()
  }
}

/** Updates the planner's statistics and counts the rows. VACUUM cannot run inside a transaction. */
async function countRows(db: Db): Promise<string> {
  await sql`vacuum analyze`.execute(db)
  const { rows } = await sql<
    Record<string, number>
  >`select (select count(*) from products) as products, (select count(*) from orders) as orders,
    (select count(*) from order_lines) as lines, (select count(*) from users) as people`.execute(db)
  return `The shop now has ${Object.entries(rows[0]!)
    .map(([name, n]) => `${n} ${name}`)
    .join(', ')}.`
}
