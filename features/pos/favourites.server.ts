import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type ListedProduct, listedProductColumns } from '#features/catalog/listed-products.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import { updateVersioned } from '#lib/db/versioned.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'

/** A button of the POS; the device's catalog has the product itself. */
export interface FavouriteTile {
  id: number
  /** Name of the product's category. */
  category: string
}

/** The favourites in the admin form, in their order. */
export interface FavouritesRecord {
  products: ListedProduct[]
  version: number
}

const SHOP = 1

/** The visible favourites in their order. */
export async function listFavouriteTiles(db: Db, lang: Lang): Promise<FavouriteTile[]> {
  const { rows } = await sql<FavouriteTile>`
    select p.id, ${columnIn(lang, 'c.name')} as category
    from pos_favourites f, unnest(f.product_ids) with ordinality as chosen (id, position)
    join products p on p.id = chosen.id join categories c on c.id = p.category_id
    where p.visible order by chosen.position`.execute(db)
  return rows
}

/** The favourites for editing, hidden products included. */
export async function findFavourites(db: Db, lang: Lang): Promise<FavouritesRecord> {
  const { version } = await db.selectFrom('pos_favourites').select('version').where('id', '=', SHOP).executeTakeFirstOrThrow()
  const { rows } = await sql<ListedProduct>`
    select ${listedProductColumns(lang)} from pos_favourites f, unnest(f.product_ids) with ordinality as chosen (id, position)
    join products p on p.id = chosen.id order by chosen.position`.execute(db)
  return { products: rows, version }
}

export type FavouritesChange = { ok: true } | { ok: false; reason: 'stale' | 'unknown-product' }

/** Replaces the favourites if the list still has this version. */
export function changeFavourites(db: Db, actor: Actor, version: number, productIds: number[]): Promise<FavouritesChange> {
  return inTransaction(db, async (tx): Promise<FavouritesChange> => {
    const { rows } = await sql`select 1 from products where id = any(${productIds}::bigint[])`.execute(tx)
    if (rows.length !== productIds.length) return { ok: false, reason: 'unknown-product' }
    const before = await tx.selectFrom('pos_favourites').select('product_ids').where('id', '=', SHOP).executeTakeFirstOrThrow()
    const updated = await updateVersioned(tx, 'pos_favourites', SHOP, version, { product_ids: productIds })
    if (!updated.ok) return { ok: false, reason: 'stale' }
    const after = { product_ids: productIds }
    await audit(tx, actor, { action: 'changed', subject: 'pos-favourites', id: '', before, after })
    return { ok: true }
  })
}
