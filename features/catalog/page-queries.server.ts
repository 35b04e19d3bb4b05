import type { Db } from '#lib/db/db.server.ts'
import { dhakaDate } from '#lib/format/time.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { CachedCategory } from './categories/category-cache.server.ts'
import type { CattleNotes } from './cattle-notes.ts'
import type { ShopCache } from './shop-cache.server.ts'
import type { TextSlug } from './policies/slugs.ts'
import type { RateTier } from './products/live-weight-rules.ts'
import { listCurrentRateTiers, listRateTiers } from './products/rate-tiers.server.ts'

export interface PolicyPage {
  title: string
  body: string
  updated_on: string
  is_draft: boolean
}

/** A policy page in the reader's language, or null when it is not written. */
export async function findPolicyPage(db: Db, slug: TextSlug, lang: Lang): Promise<PolicyPage | null> {
  const page = await db.selectFrom('policy_pages').selectAll().where('slug', '=', slug).executeTakeFirst()
  if (!page) return null
  const { updated_on, is_draft } = page
  const text = lang === 'bn' ? { title: page.title_bn, body: page.body_bn } : { title: page.title_en, body: page.body_en }
  return { ...text, updated_on, is_draft }
}

/** The names of a shown product; null for another one. */
export async function findProductName(db: Db, id: number): Promise<{ name_en: string; name_bn: string } | null> {
  const row = await db
    .selectFrom('products')
    .select(['name_en', 'name_bn'])
    .where('id', '=', id)
    .where('visible', '=', true)
    .executeTakeFirst()
  return row ?? null
}

/** Whether a product exists but is hidden. */
export async function isWithdrawn(db: Db, id: number): Promise<boolean> {
  const row = await db.selectFrom('products').select('id').where('id', '=', id).where('visible', '=', false).executeTakeFirst()
  return row !== undefined
}

/** The rates of now of a category; none for one without cattle. */
export async function currentRates(db: Db, shopCache: ShopCache, category: CachedCategory | undefined): Promise<RateTier[]> {
  if (category?.delivery_group !== 'cattle') return []
  return listCurrentRateTiers(db, category, (await shopCache.settings()).kurbani.season)
}

/** The notes for buyers of a category of cattle with its rates; null for another category. */
export async function cattleNotes(
  shopCache: ShopCache,
  category: CachedCategory | undefined,
  rates: readonly RateTier[],
  { lang, now }: { lang: Lang; now: Date },
): Promise<CattleNotes | null> {
  if (category?.delivery_group !== 'cattle') return null
  const [settings, areas] = await Promise.all([shopCache.settings(), shopCache.areas()])
  const isKurbani = category.key === 'kurbani'
  const { weighedFrom: from, weighedTo: to, deliveryTo } = settings.kurbani
  const today = dhakaDate(now)
  const charges = new Map<number, string[]>()
  for (const area of areas.values()) {
    if (typeof area.cattle !== 'number') continue
    charges.set(area.cattle, [...(charges.get(area.cattle) ?? []), lang === 'bn' ? area.name_bn : area.name_en])
  }
  return {
    rates: rates.map(({ fromGrams, poishaPerKg }) => ({ fromKg: fromGrams / 1000, perKg: poishaPerKg / 100 })),
    finalWeighingDays: category.final_weighing_days,
    meatYield: settings.meat_yield,
    gainLarge: settings.gain_large,
    gainSmall: settings.gain_small,
    advance: settings.advance_amount,
    weighed: isKurbani && from <= today && today <= deliveryTo ? { from, to } : null,
    delivery: [...charges].map(([poisha, names]) => ({ charge: poisha / 100, names })),
  }
}

/**
 * The notes for buyers of one product, with the rates of its own season: they set its price. An animal with a fixed price has neither rates nor
 * a final weighing.
 */
export async function productNotes(
  db: Db,
  shopCache: ShopCache,
  { id, categoryId }: { id: number; categoryId: number },
  context: { lang: Lang; now: Date },
): Promise<CattleNotes | null> {
  const [categories, row] = await Promise.all([
    shopCache.categories(),
    db.selectFrom('products').select(['sold_by_live_weight', 'season']).where('id', '=', id).executeTakeFirst(),
  ])
  const rates = row?.sold_by_live_weight ? await listRateTiers(db, categoryId, row.season) : []
  const category = categories.find((one) => one.id === categoryId)
  const notes = await cattleNotes(shopCache, category, rates, context)
  return notes && { ...notes, finalWeighingDays: row?.sold_by_live_weight ? notes.finalWeighingDays : null }
}
