import { sql } from 'kysely'
import type { Actor } from '#features/audit/audit.server.ts'
import { daysBefore } from '#lib/format/time.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { type Poisha, poishaToTaka } from '#lib/format/money.ts'
import { requestHash } from '#lib/http/idempotency-key.server.ts'
import type { HeldSaleForm, HoldSaleForm, ResumeSaleForm } from './held-forms.ts'
import { HELD_DAYS, type HeldSale, heldTotal, heldUntil, LISTED_LINES, MAX_HELD_SALES } from './held-rules.ts'

// Held sales of all registers. A sale is taken by one UPDATE of its row, so exactly one register gets it.

const since = (now: Date) => daysBefore(now, HELD_DAYS)

/** The held sales that can be resumed, oldest first. */
export async function listHeldSales(db: Db, now: Date): Promise<HeldSale[]> {
  const { rows } = await sql<{
    id: string
    name: string
    cashier: string
    register: string
    held_at: Date
    created_at: Date
    line_count: number
    total_poisha: Poisha
    lines: { name: string; quantity: string }[]
  }>`select h.id, h.name, u.name as cashier, h.register, h.held_at, h.created_at, h.line_count, h.total_poisha,
      (select coalesce(jsonb_agg(jsonb_build_object('name', l.line -> 'name', 'quantity', l.line -> 'quantity') order by l.at), '[]')
        from jsonb_array_elements(h.sale -> 'lines') with ordinality as l(line, at) where l.at <= ${LISTED_LINES}) as lines
    from held_sales h join users u on u.id = h.cashier_id
    where h.taken_at is null and h.created_at > ${since(now)} order by h.held_at, h.id limit ${MAX_HELD_SALES}`.execute(db)
  return rows.map(({ held_at, created_at, line_count, total_poisha, ...row }) => ({
    ...row,
    heldAt: held_at.toISOString(),
    until: heldUntil(created_at).toISOString(),
    lineCount: line_count,
    total: poishaToTaka(total_poisha),
  }))
}

/** `isTaken`: the sale arrived earlier, and a register has resumed it since. */
export type HoldResult = { ok: true; isTaken: boolean } | { ok: false; reason: 'key-reused' | 'too-many' }

/** Stores a held sale once; a repeated request changes nothing. */
export function holdSale(db: Db, cashier: Actor, form: HoldSaleForm, now: Date): Promise<HoldResult> {
  const hash = requestHash(form)
  return inTransaction(db, async (tx): Promise<HoldResult> => {
    // Serializes the count of the limit.
    await sql`select pg_advisory_xact_lock(hashtextextended('held sales', 0))`.execute(tx)
    const { rows } = await sql<{ is_same: boolean; is_taken: boolean }>`
      select request_hash is not distinct from decode(${hash}, 'hex') as is_same, taken_at is not null as is_taken
      from held_sales where id = ${form.id}`.execute(tx)
    const earlier = rows[0]
    if (earlier) return earlier.is_same || earlier.is_taken ? { ok: true, isTaken: earlier.is_taken } : { ok: false, reason: 'key-reused' }
    const waiting = await sql<{ n: number }>`
      select count(*)::integer as n from held_sales where taken_at is null and created_at > ${since(now)}`.execute(tx)
    if (waiting.rows[0]!.n >= MAX_HELD_SALES) return { ok: false, reason: 'too-many' }
    const heldAt = form.held_at < now ? form.held_at : now
    await sql`insert into held_sales (id, name, cashier_id, register, held_at, created_at, line_count, total_poisha, request_hash, sale)
      values (${form.id}, ${form.name}, ${cashier.id}, ${form.register}, ${heldAt}, ${now}, ${form.sale.lines.length},
        ${heldTotal(form.sale)}, decode(${hash}, 'hex'), ${JSON.stringify(form.sale)}::jsonb)`.execute(tx)
    return { ok: true, isTaken: false }
  })
}

export type ResumeResult =
  /** `sale` is null when the register alone has it (`own`). */
  | { ok: true; name: string; sale: HeldSaleForm | null }
  | { ok: false; reason: 'gone' }
  | { ok: false; reason: 'taken'; by: string; at: Date }

/** Takes a held sale for one register. The same key takes it again: the first response may have been lost. */
export function resumeSale(db: Db, cashier: Actor, id: string, { key, own }: ResumeSaleForm, now: Date): Promise<ResumeResult> {
  return inTransaction(db, async (tx): Promise<ResumeResult> => {
    // A sale of this device that may still be under way: the shop remembers that it was resumed.
    if (own)
      await sql`insert into held_sales (id, name, cashier_id, register, held_at, created_at, line_count, total_poisha, taken_at, taken_by, take_key)
        values (${id}, '', ${cashier.id}, '', ${now}, ${now}, 0, 0, ${now}, ${cashier.id}, ${key}) on conflict (id) do nothing`.execute(tx)
    const { rows } = await sql<{ name: string; sale: HeldSaleForm | null }>`
      update held_sales set taken_at = coalesce(taken_at, ${now}), taken_by = ${cashier.id}, take_key = ${key}
      where id = ${id} and (taken_at is null or take_key = ${key}) and created_at > ${since(now)} returning name, sale`.execute(tx)
    if (rows[0]) return { ok: true, ...rows[0] }
    const taken = await sql<{ by: string; at: Date | null }>`
      select u.name as by, h.taken_at as at from held_sales h join users u on u.id = h.taken_by where h.id = ${id}`.execute(tx)
    const earlier = taken.rows[0]
    return earlier?.at ? { ok: false, reason: 'taken', by: earlier.by, at: earlier.at } : { ok: false, reason: 'gone' }
  })
}

/** Deletes held sales past their time, resumed or not. */
export async function deleteExpiredHeldSales(db: Db, now: Date): Promise<void> {
  await sql`delete from held_sales where created_at <= ${since(now)}`.execute(db)
}
