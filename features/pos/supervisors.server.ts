import { sql } from 'kysely'
import { audit } from '#features/audit/audit.server.ts'
import { countAttempt, forgetAttempts } from '#features/auth/attempts.server.ts'
import { readCode } from '#features/auth/code-rules.ts'
import { hashPassword, isPassword } from '#features/auth/passwords.server.ts'
import { can } from '#features/auth/rights.ts'
import type { Role } from '#features/auth/sessions.server.ts'
import type { OrderClerk } from '#features/orders/office/office-deps.ts'
import { type Db, inTransaction } from '#lib/db.server.ts'
import { poishaToTaka } from '#lib/money.ts'
import { normalisePhone } from '#lib/phone.ts'
import { isEasyTillCode, isNothing } from './approval-rules.ts'
import type { ApproveForm } from './forms.ts'
import { findOpenShift } from './shift-queries.server.ts'

/** Wrong codes: of one supervisor in a quarter of an hour and in a day, whoever types; and at one cashier's till. */
const WRONG = {
  perPerson: { most: 5, windowSeconds: 900 },
  perPersonAndDay: { most: 20, windowSeconds: 86_400 },
  perTill: { most: 10, windowSeconds: 900 },
} as const

/** Since when somebody has a till code; null: none. */
export async function tillCodeSince(db: Db, userId: number): Promise<Date | null> {
  const { rows } = await sql<{ set_at: Date }>`select set_at from till_codes where user_id = ${userId}`.execute(db)
  return rows[0]?.set_at ?? null
}

export type CodeProblem = 'not-six-figures' | 'easy'

/** Gives somebody the till code he has chosen, six figures that are not guessed at once; the one before is worth nothing any more. */
export async function setTillCode(db: Db, clerk: OrderClerk, typed: string, now: Date): Promise<CodeProblem | null> {
  const code = readCode(typed)
  if (code === null) return 'not-six-figures'
  const { rows } = await sql<{ phone: string }>`select phone from users where id = ${clerk.id}`.execute(db)
  if (isEasyTillCode(code, rows[0]!.phone)) return 'easy'
  const hash = await hashPassword(code)
  await inTransaction(db, async (tx) => {
    await sql`insert into till_codes (user_id, code_hash, set_at) values (${clerk.id}, ${hash}, ${now})
      on conflict (user_id) do update set code_hash = excluded.code_hash, set_at = excluded.set_at`.execute(tx)
    await audit(tx, clerk, { action: 'changed', subject: 'staff', id: clerk.id, after: { till_code: 'own' } })
  })
  return null
}

export type ApproveResult =
  | { ok: true; by: string }
  | { ok: false; reason: 'wrong' | 'no-shift' | 'nothing' | 'sold' }
  | { ok: false; reason: 'too-many'; retryAfter: number }

/**
 * Writes down that a supervisor approves this of a cashier's sale, once his code is right. It holds for the sale with this key in the open
 * shift. Who has no code, may not approve or does not exist is answered as a wrong code is; each of them counts.
 */
export async function approve(
  { db, now, env }: { db: Db; now: () => Date; env: { rateLimit: boolean } },
  cashier: OrderClerk,
  form: ApproveForm,
): Promise<ApproveResult> {
  if (isNothing(form)) return { ok: false, reason: 'nothing' }
  const phone = normalisePhone(form.phone) ?? 'none'
  const counted = [
    [`till-code:${phone}`, WRONG.perPerson],
    [`till-code-day:${phone}`, WRONG.perPersonAndDay],
    [`till-code-at:${cashier.id}`, WRONG.perTill],
  ] as const
  for (const [key, limit] of env.rateLimit ? counted : []) {
    const wait = await countAttempt(db, key, limit, now())
    if (wait > 0) return { ok: false, reason: 'too-many', retryAfter: wait }
  }
  const supervisor = await findSupervisor(db, phone)
  const right = await isPassword(supervisor?.hash ?? null, readCode(form.code) ?? '')
  if (!supervisor || !right) return { ok: false, reason: 'wrong' }
  for (const [key] of counted) await forgetAttempts(db, key)
  return inTransaction(db, (tx) => write(tx, cashier, supervisor, form, now()))
}

async function findSupervisor(db: Db, phone: string): Promise<{ id: number; name: string; hash: string } | null> {
  const { rows } = await sql<{ id: number; name: string; role: Role; hash: string }>`
    select u.id, u.name, u.role, c.code_hash as hash from users u join till_codes c on c.user_id = u.id
    where u.phone = ${phone} and u.disabled_at is null`.execute(db)
  const found = rows[0]
  return found && can(found.role, 'pos.approve') ? found : null
}

async function write(
  tx: Db,
  cashier: OrderClerk,
  supervisor: { id: number; name: string },
  form: ApproveForm,
  now: Date,
): Promise<ApproveResult> {
  const shift = await findOpenShift(tx, cashier.id, 'share')
  if (!shift) return { ok: false, reason: 'no-shift' }
  const { rows } = await sql`insert into till_approvals (shift_id, sale_key, supervisor_id, discount_poisha, prices, held, at)
    values (${shift.id}, ${form.sale_key}, ${supervisor.id}, ${form.discount}, ${JSON.stringify(form.prices)}::jsonb, ${form.held}::bigint[], ${now})
    on conflict (shift_id, sale_key) do update set supervisor_id = excluded.supervisor_id, discount_poisha = excluded.discount_poisha,
      prices = excluded.prices, held = excluded.held, at = excluded.at where till_approvals.order_id is null returning id`.execute(tx)
  if (rows.length === 0) return { ok: false, reason: 'sold' }
  const prices = form.prices.map(({ id, price }) => ({ id, price: poishaToTaka(price) }))
  const after = {
    supervisor: supervisor.name,
    supervisor_id: supervisor.id,
    discount: poishaToTaka(form.discount),
    prices,
    held: form.held,
  }
  await audit(tx, cashier, { action: 'approved', subject: 'shift', id: shift.id, after })
  return { ok: true, by: supervisor.name }
}
