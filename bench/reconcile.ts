import { sql } from 'kysely'
import { type Db, openDb } from '#lib/db/db.server.ts'
import { addDays, dhakaDate } from '#lib/format/time.ts'
import { addOrders } from '#db/bulk/bulk-orders.ts'
import { jsonPoster, signIn } from './admin-shop.ts'
import { timed } from './compare.ts'
import { type Bench, openShop } from './database.ts'
import type { Finding } from './report.ts'

const PRODUCTS = 1000
const ORDERS = 100_000
const ROWS = 10_000
const DAYS = 30
const GOAL_MS = 5000
const PAGE_MS = 500

/** A statement of 10,000 rows: upload, columns, storing, matching; then the same file again, and the pages. */
export async function benchReconcile(bench: Bench): Promise<Finding[]> {
  const url = await bench.copy(PRODUCTS)
  const { db, close } = openDb(url, { max: 2 })
  await addOrders(db, ORDERS, console.error)
  const first = addDays(dhakaDate(new Date()), -DAYS)
  await addPayments(db, first)
  await close()
  const shop = await openShop(url)
  try {
    const cookie = await signIn(shop.url)
    const send = await jsonPoster(shop.url, cookie)
    const open = async (path: string) => {
      const answer = await fetch(shop.url + path, { headers: { cookie, accept: 'text/html' } })
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
      await answer.text()
    }
    const { id } = (await send('/admin/payments/accounts', { name: 'bKash', method: 'bkash' })) as { id: number }
    const path = `/admin/payments/accounts/${id}`
    const body = { csv: statement(first), file_name: 'statement.csv' }
    let mapping = {}
    let imported: Record<string, unknown> = {}
    const reading = await timed(async () => {
      const { preview } = (await send(`${path}/statement`, body)) as { preview: { mapping: object } }
      mapping = { ...preview.mapping, dayOrder: 'ymd' }
    })
    const importing = await timed(async () => {
      imported = await send(`${path}/statement`, { ...body, mapping })
    })
    const again = await timed(() => send(`${path}/statement`, { ...body, mapping }))
    const days = await timed(() => open(`${path}?from=${first}`))
    const day = await timed(() => open(`${path}/${addDays(first, 3)}?list=matched`))
    const ms = (value: number) => `${value.toFixed(0)} ms`
    const { added, matched } = imported as { added: number; matched: number }
    return [
      {
        what: `statement of ${ROWS} rows: columns, then import and match`,
        goal: `≤ ${GOAL_MS} ms`,
        measured: `${ms(reading)} + ${ms(importing)}; ${added} new, ${matched} matched`,
        reached: reading + importing <= GOAL_MS && added === ROWS,
      },
      { what: 'the same file again', goal: `≤ ${GOAL_MS} ms`, measured: ms(again), reached: again <= GOAL_MS },
      { what: 'its days; one day', goal: `≤ ${PAGE_MS} ms`, measured: `${ms(days)}; ${ms(day)}`, reached: Math.max(days, day) <= PAGE_MS },
    ]
  } finally {
    await shop.stop()
  }
}

/** Every eighth row has no payment. Every fourth payment has no transaction id and is found by amount and day. */
async function addPayments(db: Db, first: string): Promise<void> {
  await sql`insert into ledger_entries (order_id, kind, method, amount_poisha, reference, at)
    select (select min(id) from orders) + n, 'advance', 'bkash', 100 * (100 + n), case when n % 4 <> 3 then 'BENCH' || lpad(n::text, 7, '0') end,
      ${first}::timestamp at time zone 'Asia/Dhaka' + (n % ${DAYS}) * interval '1 day' + interval '10 hours'
    from generate_series(0, ${ROWS - 1}) n where n % 8 <> 0`.execute(db)
  await sql`analyze ledger_entries`.execute(db)
}

function statement(first: string): string {
  const row = (_: unknown, n: number) =>
    `${addDays(first, n % DAYS)} 10:15:22,BENCH${String(n).padStart(7, '0')},"${100 + n}.00",01711000000`
  return ['Date/Time,Trx ID,Amount,From', ...Array.from({ length: ROWS }, row)].join('\n')
}
