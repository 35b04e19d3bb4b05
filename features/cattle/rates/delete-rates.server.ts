import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { lockRateTiers } from '#features/catalog/products/rate-tiers.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { inTable, lockAnimals, lockRates, rateId, type TableKey } from './commands.server.ts'
import { readRates } from './queries.server.ts'

export type RatesDeleted = { ok: true } | { ok: false; reason: 'stale' } | { ok: false; reason: 'in-use'; animals: number }

/**
 * Deletes the rates of a category and season. Refused while an animal that is not sold is priced by them, and after a change of the rates
 * since the page was read (`ratesHash`).
 */
export function deleteRates(db: Db, actor: Actor, table: TableKey, ratesHash: string): Promise<RatesDeleted> {
  const { category_id, season } = table
  return inTransaction(db, async (tx): Promise<RatesDeleted> => {
    await lockRates(tx)
    const before = await readRates(tx, category_id, season)
    // A press whose answer was lost has deleted them.
    if (before.tiers.length === 0) return { ok: true }
    if (before.hash !== ratesHash) return { ok: false, reason: 'stale' }
    await lockAnimals(tx, table)
    // An animal that is being moved into the table is counted when its transaction has ended.
    await lockRateTiers(tx, category_id, season)
    const { rows } = await sql<{ animals: number }>`select count(*)::int as animals from products p
      where ${inTable(table)} and p.status <> 'sold' and p.archived_at is null`.execute(tx)
    const { animals } = rows[0]!
    if (animals > 0) return { ok: false, reason: 'in-use', animals }
    await tx.deleteFrom('rate_tiers').where('category_id', '=', category_id).where('season', '=', season).execute()
    await audit(tx, actor, {
      action: 'deleted',
      subject: 'rate',
      id: rateId(table),
      before: { tiers: before.tiers },
    })
    return { ok: true }
  })
}
