import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { dhakaDate } from '#lib/format/time.ts'
import type { PolicyForm } from './forms.ts'
import { findPolicy, type PolicyRecord } from './queries.server.ts'
import type { TextSlug } from './slugs.ts'

/** Saves a policy page with today as its date, if it still has this version; null when it has another one. */
export function savePolicy(
  db: Db,
  actor: Actor,
  { slug, version, form, now }: { slug: TextSlug; version: number; form: PolicyForm; now: Date },
): Promise<PolicyRecord | null> {
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('policy_pages'))`.execute(tx)
    const before = await findPolicy(tx, slug)
    if (before.version !== version) return null
    const values = { ...form, updated_on: dhakaDate(now) }
    await tx
      .insertInto('policy_pages')
      .values({ slug, ...values })
      .onConflict((conflict) => conflict.column('slug').doUpdateSet({ ...values, version: before.version + 1 }))
      .execute()
    const after = await findPolicy(tx, slug)
    await audit(tx, actor, { action: before.version === 0 ? 'created' : 'changed', subject: 'text', id: slug, before, after })
    return after
  })
}
