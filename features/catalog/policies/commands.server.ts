import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { dhakaDate } from '#lib/format/time.ts'
import type { PolicyForm } from './forms.ts'
import { findPolicy, type PolicyRecord } from './queries.server.ts'
import type { PolicySlug } from './slugs.ts'

/** Writes one of the shop's papers as of today, unless somebody else was quicker: then null. */
export function writePolicy(
  db: Db,
  who: Actor,
  { slug, version, form, now }: { slug: PolicySlug; version: number; form: PolicyForm; now: Date },
): Promise<PolicyRecord | null> {
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('policy_pages'))`.execute(tx)
    const before = await findPolicy(tx, slug)
    if (before.version !== version) return null
    await sql`insert into policy_pages (slug, title_en, title_bn, body_en, body_bn, updated_on)
      values (${slug}, ${form.title_en}, ${form.title_bn}, ${form.body_en}, ${form.body_bn}, ${dhakaDate(now)})
      on conflict (slug) do update set title_en = excluded.title_en, title_bn = excluded.title_bn, body_en = excluded.body_en,
        body_bn = excluded.body_bn, updated_on = excluded.updated_on, version = policy_pages.version + 1`.execute(tx)
    const after = await findPolicy(tx, slug)
    await audit(tx, who, { action: before.version === 0 ? 'created' : 'changed', subject: 'text', id: slug, before, after })
    return after
  })
}
