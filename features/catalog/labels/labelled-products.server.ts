import { sql } from 'kysely'
import { productColumns, type ProductRow } from '#features/catalog/product-rows.server.ts'
import { storedDiscount, unitPriceAfterDiscount } from '#features/catalog/shown-price-rules.ts'
import type { Unit } from '#features/catalog/types.ts'
import { type BarcodeDrawing, drawBarcode } from '#lib/codes/barcode.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { poisha, type Poisha } from '#lib/format/money.ts'

/** The values on the label of a product. */
export interface LabelledProduct {
  id: number
  name_en: string
  name_bn: string
  /** The price of a unit after discount. */
  price: Poisha
  unit: Unit
  is_animal: boolean
  tag_number: string | null
  weight_grams: number | null
  /** From the barcode, else from the tag of an animal; null without either. */
  barcode: BarcodeDrawing | null
}

/** The existing products among these ids, in their order, with drawn barcodes. */
export async function listLabelledProducts(db: Db, ids: readonly number[]): Promise<LabelledProduct[]> {
  const { rows } = await sql<ProductRow>`select ${productColumns} from products p join categories c on c.id = p.category_id
    where p.id = any(${ids}::bigint[]) order by array_position(${ids}::bigint[], p.id)`.execute(db)
  const labelled = rows.map(async (row) => {
    const { id, name_en, name_bn, unit, is_unique, tag_number, weight_grams } = row
    const code = row.barcode ?? tag_number
    const price = unitPriceAfterDiscount(poisha(row.price_poisha), storedDiscount(row))
    return {
      id,
      name_en,
      name_bn,
      price,
      unit,
      is_animal: is_unique,
      tag_number,
      weight_grams,
      barcode: code ? await drawBarcode(code) : null,
    }
  })
  return Promise.all(labelled)
}
