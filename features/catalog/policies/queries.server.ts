import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { POLICY_SLUGS, type PolicySlug } from './slugs.ts'

/** One of the shop's papers as the admin edits it; version 0: it has not been written yet. */
export interface PolicyRecord {
  slug: PolicySlug
  title_en: string
  title_bn: string
  body_en: string
  body_bn: string
  updated_on: string | null
  version: number
}

const blank = (slug: PolicySlug): PolicyRecord => ({
  slug,
  title_en: '',
  title_bn: '',
  body_en: '',
  body_bn: '',
  updated_on: null,
  version: 0,
})

/** All papers, also those that are not written yet. */
export async function listPolicies(db: Db): Promise<PolicyRecord[]> {
  const { rows } = await sql<PolicyRecord & { updated_on: string }>`
    select slug, title_en, title_bn, body_en, body_bn, updated_on, version from policy_pages`.execute(db)
  return POLICY_SLUGS.map((slug) => rows.find((row) => row.slug === slug) ?? blank(slug))
}

export async function findPolicy(db: Db, slug: PolicySlug): Promise<PolicyRecord> {
  return (await listPolicies(db)).find((one) => one.slug === slug) ?? blank(slug)
}
