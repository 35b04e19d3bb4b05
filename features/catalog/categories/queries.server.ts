import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { DeliveryGroup } from '../types.ts'

/** A row of the admin's list. */
export interface CategoryItem {
  id: number
  name: string
  description: string
  /** Its place in the list, from 1. */
  priority: number
  /** The shop's own pages are built on it. */
  is_protected: boolean
}

/** A category as the admin edits it. */
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

/** Every category in the order of the shop. */
export async function listCategories(db: Db, lang: Lang): Promise<CategoryItem[]> {
  const { rows } = await sql<CategoryItem>`
    select id, ${lang === 'bn' ? sql`name_bn` : sql`name_en`} as name, description, priority, key is not null as is_protected
    from categories order by priority, id`.execute(db)
  return rows
}

export async function findCategory(db: Db, id: number): Promise<CategoryRecord | null> {
  const { rows } = await sql<CategoryRecord>`
    select id, name_en, name_bn, description, delivery_group, cod_allowed, final_weighing_days, key is not null as is_protected, version
    from categories where id = ${id}`.execute(db)
  return rows[0] ?? null
}
