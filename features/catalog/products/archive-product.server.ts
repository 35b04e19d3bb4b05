import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { findProductRecord, type ProductDetails } from './product-editor-queries.server.ts'

/**
 * Puts a product away, or takes it out again, which leaves it hidden. Its orders, its papers and its public card stay as they are.
 * Doing it twice changes nothing more. Null: there is no such product.
 */
export function archiveProduct(db: Db, who: Actor, id: number, isArchived: boolean, now: Date): Promise<ProductDetails | null> {
  return inTransaction(db, async (tx) => {
    await sql`select 1 from products where id = ${id} for update`.execute(tx)
    const before = await findProductRecord(tx, id)
    if (!before || before.around.isArchived === isArchived) return before
    // A visible product makes its next version by itself.
    await sql`update products set archived_at = ${isArchived ? now : null}, visible = false, version = version + 1 where id = ${id}`.execute(
      tx,
    )
    const state = (archived: boolean, visible: boolean) => ({ archived, visible })
    await audit(tx, who, {
      action: isArchived ? 'archived' : 'restored',
      subject: 'product',
      id,
      before: state(!isArchived, before.visible),
      after: state(isArchived, false),
    })
    return findProductRecord(tx, id)
  })
}
