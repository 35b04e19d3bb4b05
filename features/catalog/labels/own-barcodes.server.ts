import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { readSettings } from '#features/settings/settings.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { ean13 } from '#lib/codes/ean.ts'
import { ownPrefix } from './own-barcode-rules.ts'

const MAX_RETRIES = 5
const CANDIDATES = 9

/**
 * Assigns an own barcode, a unique EAN-13, to those of the products that have none, and returns the assigned ones. The code contains the
 * product id. Where another product already has that code, the next candidate is used.
 */
export async function assignBarcodes(db: Db, actor: Actor, ids: readonly number[]): Promise<{ id: number; barcode: string }[]> {
  for (let left = MAX_RETRIES; ; left--) {
    try {
      return await inTransaction(db, (tx) => assign(tx, actor, ids))
    } catch (error) {
      // Another transaction stored the same code concurrently.
      if (constraintOf(error) !== 'products_barcode_key' || left === 0) throw error
    }
  }
}

async function assign(tx: Db, actor: Actor, ids: readonly number[]): Promise<{ id: number; barcode: string }[]> {
  const prefix = ownPrefix((await readSettings(tx)).scale_labels)
  const withoutBarcode = await sql<{ id: number }>`select id from products where id = any(${ids}::bigint[]) and barcode is null
    order by id for update`.execute(tx)
  const candidates = withoutBarcode.rows.map(({ id }) => ({
    id,
    codes: Array.from({ length: CANDIDATES }, (_, round) => ownCode(prefix, id, round)),
  }))
  const taken = await sql<{ barcode: string }>`
    select barcode from products where barcode = any(${candidates.flatMap(({ codes }) => codes)}::text[])`.execute(tx)
  const used = new Set(taken.rows.map(({ barcode }) => barcode))
  const assigned = candidates.flatMap(({ id, codes }) => {
    const barcode = codes.find((code) => !used.has(code))
    if (barcode === undefined) return []
    used.add(barcode)
    return [{ id, barcode }]
  })
  await sql`update products p set barcode = g.barcode
    from unnest(${assigned.map(({ id }) => id)}::bigint[], ${assigned.map(({ barcode }) => barcode)}::text[]) as g(id, barcode) where p.id = g.id`.execute(
    tx,
  )
  for (const { id, barcode } of assigned)
    await audit(tx, actor, { action: 'changed', subject: 'product', id, before: { barcode: '' }, after: { barcode } })
  return assigned
}

/** A candidate code of a product; each round gives another code. */
function ownCode(prefix: string, id: number, round: number): string {
  return ean13(`${prefix}${round}${String(id % 1_000_000_000).padStart(9, '0')}`)
}
