import { sql } from 'kysely'
import type { Actor } from '#features/audit/audit.server.ts'
import { daysBefore } from '#lib/format/time.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { closeKeys, findResult, lockKeys } from '#lib/db/idempotency.server.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import type { DraftForm } from './forms.ts'

// Drafts of orders by phone. All who create orders see them; a draft is no order, holds no stock and sends no SMS.

/** Days after the last change until a draft is deleted. */
export const DRAFT_DAYS = 30
/** Drafts of the whole shop at a time. */
export const MAX_DRAFTS = 300

const since = (now: Date) => daysBefore(now, DRAFT_DAYS)

/** A draft at a version. */
export interface DraftVersion {
  id: number
  version: number
}

export type DraftSaved =
  | ({ ok: true } & DraftVersion)
  | { ok: false; reason: 'missing' | 'too-many' }
  /** Another clerk has saved it since. */
  | { ok: false; reason: 'stale'; by: string; at: string }

/**
 * Stores a new draft. `earlier` is the one of an attempt whose answer was lost: it is replaced, unless another clerk has changed or ended it since.
 */
export function createDraft(db: Db, clerk: Actor, form: DraftForm, now: Date, earlier: DraftVersion | null): Promise<DraftSaved> {
  return inTransaction(db, async (tx): Promise<DraftSaved> => {
    const replaced = earlier && (await updateDraft(tx, clerk, earlier.id, { form, version: earlier.version }, now))
    if (replaced?.ok) return replaced
    // Serializes the count of the limit.
    await sql`select pg_advisory_xact_lock(hashtextextended('order drafts', 0))`.execute(tx)
    const { rows } = await sql<{ id: number; version: number }>`
      insert into order_drafts (form, phone, created_by, created_at, updated_by, updated_at)
      select ${JSON.stringify(form)}::jsonb, ${normalizePhone(form.phone)}, ${clerk.id}, ${now}, ${clerk.id}, ${now}
      where (select count(*) from order_drafts where updated_at > ${since(now)}) < ${MAX_DRAFTS} returning id, version`.execute(tx)
    return rows[0] ? { ok: true, ...rows[0] } : { ok: false, reason: 'too-many' }
  })
}

/** Replaces a draft that still has the version that the clerk saw. */
export function updateDraft(
  db: Db,
  clerk: Actor,
  id: number,
  { form, version }: { form: DraftForm; version: number },
  now: Date,
): Promise<DraftSaved> {
  return inTransaction(db, async (tx): Promise<DraftSaved> => {
    const { rows } = await sql<{ id: number; version: number }>`
      update order_drafts set form = ${JSON.stringify(form)}::jsonb, phone = ${normalizePhone(form.phone)}, updated_by = ${clerk.id},
        updated_at = ${now}, version = version + 1
      where id = ${id} and version = ${version} returning id, version`.execute(tx)
    return rows[0] ? { ok: true, ...rows[0] } : refusal(tx, id)
  })
}

async function refusal(db: Db, id: number): Promise<Exclude<DraftSaved, { ok: true }>> {
  const { rows } = await sql<{ by: string; at: Date }>`
    select u.name as by, d.updated_at as at from order_drafts d join users u on u.id = d.updated_by where d.id = ${id}`.execute(db)
  return rows[0] ? { ok: false, reason: 'stale', by: rows[0].by, at: rows[0].at.toISOString() } : { ok: false, reason: 'missing' }
}

/** Deletes a draft that still has the version that the clerk saw. One that is gone already counts as deleted. */
export async function deleteDraft(db: Db, id: number, version: number): Promise<DraftSaved> {
  const { numAffectedRows } = await sql`delete from order_drafts where id = ${id} and version = ${version}`.execute(db)
  if (Number(numAffectedRows ?? 0) > 0) return { ok: true, id, version }
  const refused = await refusal(db, id)
  return refused.reason === 'missing' ? { ok: true, id, version } : refused
}

/** Thrown to roll back an order whose draft was changed, deleted, or became an order of another clerk. */
export class DraftChangedError extends Error {}

/** Stored under the key of a save that has not arrived when its order is created. */
const NO_DRAFT: DraftVersion = { id: 0, version: 0 }

/**
 * Deletes the draft of an order, in the transaction that creates the order. Of two orders from one draft the second one is refused. `lostKeys` are
 * those of saves without an answer: their draft is deleted, too, unless another clerk has changed it since, and a later one is refused.
 */
export async function endDrafts(tx: Db, draft: DraftVersion | undefined, lostKeys: readonly string[]): Promise<void> {
  await lockKeys(tx, lostKeys)
  const lost = await findResult<DraftVersion>(tx, lostKeys)
  await closeKeys(tx, lostKeys, NO_DRAFT)
  const isSame = draft?.id === lost?.id
  if (lost && !isSame) await deleteDraft(tx, lost.id, lost.version)
  if (!draft) return
  const id = draft.id
  const version = lost && isSame ? Math.max(draft.version, lost.version) : draft.version
  const { numAffectedRows } = await sql`delete from order_drafts where id = ${id} and version = ${version}`.execute(tx)
  if (Number(numAffectedRows ?? 0) === 0) throw new DraftChangedError(`draft ${id} is not at version ${version}`)
}

export interface OrderDraft {
  id: number
  version: number
  form: DraftForm
}

/** A draft; null when it does not exist or has expired. */
export async function findDraft(db: Db, id: number, now: Date): Promise<OrderDraft | null> {
  const { rows } =
    await sql<OrderDraft>`select id, version, form from order_drafts where id = ${id} and updated_at > ${since(now)}`.execute(db)
  return rows[0] ?? null
}

/** A draft in the list. */
export interface ListedDraft {
  id: number
  version: number
  name: string
  phone: string
  /** Names of the first products. */
  goods: string
  lines: number
  created_by: string
  updated_by: string
  updated_at: string
}

/** All drafts, the one changed last first. */
export async function listDrafts(db: Db, now: Date): Promise<ListedDraft[]> {
  const { rows } = await sql<WithDates<ListedDraft, 'updated_at'>>`
    select d.id, d.version, d.form ->> 'name' as name, d.form ->> 'phone' as phone, jsonb_array_length(d.form -> 'products') as lines,
      coalesce((select string_agg(l.line ->> 'name', ', ' order by l.at)
        from jsonb_array_elements(d.form -> 'products') with ordinality as l(line, at) where l.at <= 3), '') as goods,
      c.name as created_by, u.name as updated_by, d.updated_at
    from order_drafts d join users c on c.id = d.created_by join users u on u.id = d.updated_by
    where d.updated_at > ${since(now)} order by d.updated_at desc, d.id desc limit ${MAX_DRAFTS}`.execute(db)
  return rows.map(datesToText)
}

/** Deletes drafts past their time. */
export async function deleteExpiredDrafts(db: Db, now: Date): Promise<void> {
  await sql`delete from order_drafts where updated_at <= ${since(now)}`.execute(db)
}
