import type { Db } from '#lib/db/db.server.ts'
import { TEXT_SLUGS, type TextSlug } from './slugs.ts'

/** A policy page in the admin form; version 0: it is not written yet. */
export interface PolicyRecord {
  slug: TextSlug
  title_en: string
  title_bn: string
  body_en: string
  body_bn: string
  updated_on: string | null
  /** The text that every new shop has, not yet checked by the owner. */
  is_draft: boolean
  version: number
}

const blank = (slug: TextSlug): PolicyRecord => ({
  slug,
  title_en: '',
  title_bn: '',
  body_en: '',
  body_bn: '',
  updated_on: null,
  is_draft: false,
  version: 0,
})

/** All policy pages, including those that are not written yet. */
export async function listPolicies(db: Db): Promise<PolicyRecord[]> {
  const rows = await db
    .selectFrom('policy_pages')
    .select(['slug', 'title_en', 'title_bn', 'body_en', 'body_bn', 'updated_on', 'is_draft', 'version'])
    .execute()
  return TEXT_SLUGS.map((slug) => {
    const row = rows.find((one) => one.slug === slug)
    return row ? { ...row, slug } : blank(slug)
  })
}

/** The policy page, empty while it is not written. */
export async function findPolicy(db: Db, slug: TextSlug): Promise<PolicyRecord> {
  return (await listPolicies(db)).find((one) => one.slug === slug) ?? blank(slug)
}
