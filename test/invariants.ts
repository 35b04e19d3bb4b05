import { sql } from 'kysely'
import { expect } from 'vitest'
import { ORDER_INVARIANTS } from '#db/invariants/order-invariants.ts'
import type { Db } from '#lib/db/db.server.ts'

/** The initial stock of tracked products: the current stock less all movements. */
export async function countStock(db: Db): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; initial: number }>`
    select p.id, p.stock_milli - (select coalesce(sum(delta_milli), 0) from stock_movements m where m.product_id = p.id)::bigint as initial
    from products p where stock_milli is not null`.execute(db)
  return new Map(rows.map((row) => [row.id, row.initial]))
}

const NAMES = Object.keys(ORDER_INVARIANTS)
/** All invariants in one statement; `invariant` is the index of the name. */
const FIND_BROKEN = sql.join(
  Object.values(ORDER_INVARIANTS).map((query, index) => sql`select ${sql.lit(index)} as invariant, to_jsonb(r) as row from (${query}) r`),
  sql` union all `,
)

/** The rows that break an invariant, by its name. Each connection plans the statement once: planning takes most of its time. */
function findBroken(db: Db): Promise<Record<string, object[]>> {
  return db.connection().execute(async (connection) => {
    const { rows: prepared } = await sql`select 1 from pg_prepared_statements where name = 'find_broken'`.execute(connection)
    if (prepared.length === 0) await sql`prepare find_broken as ${FIND_BROKEN}`.execute(connection)
    const { rows } = await sql<{ invariant: number; row: object }>`execute find_broken`.execute(connection)
    const broken: Record<string, object[]> = {}
    for (const { invariant, row } of rows) (broken[NAMES[invariant]!] ??= []).push(row)
    return broken
  })
}

/** Fails with the rows that break an invariant. `before`: the result of `countStock`. */
export async function expectInvariants(db: Db, before?: Map<number, number>): Promise<void> {
  const broken = await findBroken(db)
  const lost = before ? await lostStock(db, before) : []
  expect({ ...broken, ...(lost.length > 0 ? { 'stock that is neither left nor moved': lost } : {}) }).toEqual({})
}

async function lostStock(db: Db, before: Map<number, number>): Promise<object[]> {
  const { rows } = await sql<{ id: number; left: number; moved: number }>`
    select p.id, p.stock_milli as left, (select coalesce(sum(delta_milli), 0)::bigint from stock_movements m where m.product_id = p.id) as moved
    from products p where stock_milli is not null`.execute(db)
  return rows.flatMap(({ id, left, moved }) => {
    const initial = before.get(id)
    return initial === undefined || initial + moved === left ? [] : [{ id, initial, moved, left }]
  })
}
