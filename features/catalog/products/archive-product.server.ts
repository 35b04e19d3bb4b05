import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { findProductRecord, type ProductDetails } from './product-editor-queries.server.ts'

/**
 * Archives or restores a product; both hide it. Its orders, health records and public card do not change. Idempotent. Null when there is
 * no such product.
 */
export function archiveProduct(db: Db, actor: Actor, id: number, isArchived: boolean, now: Date): Promise<ProductDetails | null> {
  return inTransaction(db, async (tx) => {
    await tx.selectFrom('products').select('id').where('id', '=', id).forUpdate().execute()
    const before = await findProductRecord(tx, id)
    if (!before || before.state.isArchived === isArchived) return before
    await writeArchived(tx, actor, before, isArchived, now)
    return findProductRecord(tx, id)
  })
}

/** Archives or restores a locked product that is not in this state yet. */
export async function writeArchived(
  tx: Db,
  actor: Actor,
  { id, visible }: { id: number; visible: boolean },
  isArchived: boolean,
  now: Date,
): Promise<void> {
  // The trigger raises the version only when a shown column changes.
  await tx
    .updateTable('products')
    .set((eb) => ({ archived_at: isArchived ? now : null, visible: false, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  await audit(tx, actor, {
    action: isArchived ? 'archived' : 'restored',
    subject: 'product',
    id,
    before: { archived: !isArchived, visible },
    after: { archived: isArchived, visible: false },
  })
}
