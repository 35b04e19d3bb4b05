import { type RawBuilder, sql } from 'kysely'
import { columnIn } from '#lib/db/column-in.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { ProductStatus } from './types.ts'

/** A product in admin lists of chosen products. */
export interface ListedProduct {
  id: number
  name: string
  tag_number: string | null
  status: ProductStatus
  visible: boolean
}

/** The columns of a `ListedProduct`; `p` is products. */
export const listedProductColumns = (lang: Lang): RawBuilder<unknown> =>
  sql`p.id, ${columnIn(lang, 'p.name')} as name, p.tag_number, p.status, p.visible`
