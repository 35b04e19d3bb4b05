import { listAreas } from '#features/catalog/areas/queries.server.ts'
import { findProduct } from '#features/catalog/queries.server.ts'
import type { AreaJson, ProductDetailJson } from '#features/catalog/types.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'

/** The values of the one-product form by field name. */
export interface LegacyValues {
  full_name: string
  phone: string
  email: string
  quantity: string
  delivery_address: string
  landmark: string
  area: string
}

export const NO_VALUES: LegacyValues = { full_name: '', phone: '', email: '', quantity: '', delivery_address: '', landmark: '', area: '' }

/** Props of the one-product form: shown first by GET, again by the POST that found errors. */
export interface OrderPlaceProps {
  product: ProductDetailJson
  areas: AreaJson[]
  values: LegacyValues
  /** Errors by field; `form` for errors of no field. */
  errors: Partial<Record<keyof LegacyValues | 'payment_gateway' | 'shipping_cost' | 'form', string>>
}

/** The form's props, or null when there is no such product. */
export async function orderPlaceProps(
  db: Db,
  id: number,
  lang: Lang,
  values: LegacyValues = NO_VALUES,
  errors: OrderPlaceProps['errors'] = {},
): Promise<OrderPlaceProps | null> {
  if (!Number.isSafeInteger(id) || id < 1) return null
  const [product, areas] = await Promise.all([findProduct(db, id, lang), listAreas(db, true, lang)])
  return product && { product, areas, values, errors }
}
