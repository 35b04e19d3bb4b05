import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { CattleNotes } from './cattle-notes.ts'
import type { ShopCache } from './shop-cache.server.ts'
import type { PolicySlug } from './policies/slugs.ts'

export interface PolicyPage {
  title: string
  body: string
  updated_on: string
}

/** One of the shop's papers, or null when it has not been written. */
export async function findPolicyPage(db: Db, slug: PolicySlug, lang: Lang): Promise<PolicyPage | null> {
  const bn = lang === 'bn'
  const { rows } = await sql<PolicyPage>`
    select ${bn ? sql`title_bn` : sql`title_en`} as title, ${bn ? sql`body_bn` : sql`body_en`} as body, updated_on from policy_pages where slug = ${slug}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Whether there is such a product that the shop no longer shows. */
export async function isWithdrawn(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`select id from products where id = ${id} and not visible`.execute(db)
  return rows.length > 0
}

/** What must be known about cattle of a category, from the settings and the tables; null for a category that is no cattle. */
export async function cattleNotes(db: Db, facts: ShopCache, categoryId: number, lang: Lang): Promise<CattleNotes | null> {
  const [settings, categories, areas] = await Promise.all([facts.settings(), facts.categories(), facts.areas()])
  const category = categories.find((one) => one.id === categoryId)
  if (category?.delivery_group !== 'cattle') return null
  const isKurbani = category.key === 'kurbani'
  const { rows } = await sql<{ from_grams: number; poisha_per_kg: number }>`
    select from_grams, poisha_per_kg from rate_tiers where category_id = ${categoryId} and season = ${isKurbani ? settings.kurbani.season : ''}
    order by from_grams`.execute(db)
  const charges = new Map<number, string[]>()
  for (const area of areas.values()) {
    if (typeof area.cattle !== 'number') continue
    charges.set(area.cattle, [...(charges.get(area.cattle) ?? []), lang === 'bn' ? area.name_bn : area.name_en])
  }
  return {
    rates: rows.map((row) => ({ fromKg: row.from_grams / 1000, perKg: row.poisha_per_kg / 100 })),
    finalWeighingDays: category.final_weighing_days,
    meatYield: settings.meat_yield,
    gainLarge: settings.gain_large,
    gainSmall: settings.gain_small,
    advance: settings.advance_amount,
    weighed: isKurbani ? { from: settings.kurbani.weighedFrom, to: settings.kurbani.weighedTo } : null,
    delivery: [...charges].map(([poisha, names]) => ({ charge: poisha / 100, names })),
  }
}
