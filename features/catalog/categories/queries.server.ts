import type { ExpressionBuilder } from 'kysely'
import type { Database } from '#db/types.ts'
import type { Db } from '#lib/db/db.server.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { DeliveryGroup } from '../types.ts'

/** A row of the admin's list. */
export interface CategoryItem {
  id: number
  name: string
  description: string
  /** The position in the list, from 1. */
  priority: number
  /** Pages of the shop depend on it. */
  is_protected: boolean
}

/** A category in the admin form. */
export interface CategoryRecord {
  id: number
  name_en: string
  name_bn: string
  description: string
  delivery_group: DeliveryGroup
  cod_allowed: boolean
  final_weighing_days: number | null
  is_protected: boolean
  version: number
}

const isProtected = (eb: ExpressionBuilder<Database, 'categories'>) => eb('key', 'is not', null).$castTo<boolean>().as('is_protected')

/** All categories in the order of the shop. */
export function listCategories(db: Db, lang: Lang): Promise<CategoryItem[]> {
  return db
    .selectFrom('categories')
    .select(['id', columnIn(lang, 'name').as('name'), 'description', 'priority', isProtected])
    .orderBy('priority')
    .orderBy('id')
    .execute()
}

export async function findCategory(db: Db, id: number): Promise<CategoryRecord | null> {
  const row = await db
    .selectFrom('categories')
    .select(['id', 'name_en', 'name_bn', 'description', 'delivery_group', 'cod_allowed', 'final_weighing_days', isProtected, 'version'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}
