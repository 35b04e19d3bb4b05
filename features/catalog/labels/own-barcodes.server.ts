import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { readSettings } from '#features/settings/settings.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { ean13 } from '#lib/codes/ean.ts'
import { ownPrefix } from './own-barcode-rules.ts'

const TRIES = 5
const CANDIDATES = 9

/**
 * Gives each of these products that has no barcode one of the shop's own, an EAN-13 that no other product has; answers which got one. The
 * number of the product stands in it; where somebody has typed that code for other goods, the next of its kind is taken.
 */
export async function assignBarcodes(db: Db, who: Actor, ids: readonly number[]): Promise<{ id: number; barcode: string }[]> {
  for (let left = TRIES; ; left--) {
    try {
      return await inTransaction(db, (tx) => assign(tx, who, ids))
    } catch (error) {
      // Somebody else was given, or typed, the same code at the same moment.
      if (constraintOf(error) !== 'products_barcode_key' || left === 0) throw error
    }
  }
}

async function assign(tx: Db, who: Actor, ids: readonly number[]): Promise<{ id: number; barcode: string }[]> {
  const prefix = ownPrefix((await readSettings(tx)).scale_labels)
  const bare = await sql<{ id: number }>`select id from products where id = any(${ids}::bigint[]) and barcode is null
    order by id for update`.execute(tx)
  const wishes = bare.rows.map(({ id }) => ({ id, codes: Array.from({ length: CANDIDATES }, (_, round) => ownCode(prefix, id, round)) }))
  const taken = await sql<{
    barcode: string
  }>`select barcode from products where barcode = any(${wishes.flatMap(({ codes }) => codes)}::text[])`.execute(tx)
  const used = new Set(taken.rows.map(({ barcode }) => barcode))
  const given = wishes.flatMap(({ id, codes }) => {
    const barcode = codes.find((code) => !used.has(code))
    if (barcode === undefined) return []
    used.add(barcode)
    return [{ id, barcode }]
  })
  await sql`update products p set barcode = g.barcode
    from unnest(${given.map(({ id }) => id)}::bigint[], ${given.map(({ barcode }) => barcode)}::text[]) as g(id, barcode) where p.id = g.id`.execute(
    tx,
  )
  for (const { id, barcode } of given)
    await audit(tx, who, { action: 'changed', subject: 'product', id, before: { barcode: '' }, after: { barcode } })
  return given
}

/** The code of a product; a further round is another code of the same product. */
function ownCode(prefix: string, id: number, round: number): string {
  return ean13(`${prefix}${round}${String(id % 1_000_000_000).padStart(9, '0')}`)
}
