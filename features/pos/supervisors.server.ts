import { sql } from 'kysely'
import { audit } from '#features/audit/audit.server.ts'
import { countChain, uncountChain } from '#features/auth/attempts.server.ts'
import { readCode } from '#features/auth/code-rules.ts'
import { hashPassword, isPassword } from '#features/auth/passwords.server.ts'
import { can, type StaffActor } from '#features/auth/permissions.ts'
import { lockOwnSession, type SignedInUser } from '#features/auth/sessions.server.ts'
import { DAY_SECONDS } from '#lib/format/time.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { approvedJson, isEasyPosCode } from './approval-rules.ts'
import type { ApproveForm } from './forms.ts'
import { findOpenShift } from './shift-queries.server.ts'

/**
 * Limits of wrong codes: for one supervisor in a quarter of an hour and in a day, and at one cashier's POS. A right one between them does not
 * begin the count again: a cashier would guess some each time that the supervisor comes.
 */
const WRONG_CODES = {
  perPerson: { max: 5, windowSeconds: 900 },
  perPersonAndDay: { max: 50, windowSeconds: DAY_SECONDS },
  perPos: { max: 10, windowSeconds: 900 },
} as const

/** When the user's approval code was set; null: no code. */
export async function posCodeSince(db: Db, userId: number): Promise<Date | null> {
  const code = await db.selectFrom('pos_approval_codes').select('set_at').where('user_id', '=', userId).executeTakeFirst()
  return code?.set_at ?? null
}

export type CodeProblem = 'not-six-digits' | 'easy'

/**
 * Sets the user's own approval code: six digits, not easy to guess. It replaces the previous one. `ended`: the session ended while the code was
 * hashed, by an owner who replaced the password for example.
 */
export async function setPosCode(
  db: Db,
  user: SignedInUser,
  typed: string,
  { ip, now }: { ip: string; now: Date },
): Promise<CodeProblem | 'ended' | null> {
  const code = readCode(typed)
  if (code === null) return 'not-six-digits'
  if (isEasyPosCode(code, user.phone)) return 'easy'
  const hash = await hashPassword(code)
  return inTransaction(db, async (tx) => {
    if (!(await lockOwnSession(tx, user))) return 'ended'
    const row = { code_hash: hash, set_at: now }
    await tx
      .insertInto('pos_approval_codes')
      .values({ user_id: user.id, ...row })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
      .execute()
    await audit(
      tx,
      { kind: 'staff', id: user.id, ip },
      { action: 'changed', subject: 'staff', id: user.id, after: { approval_code: 'own' } },
    )
    return null
  })
}

export interface SupervisorDeps {
  db: Db
  now: () => Date
  env: { rateLimit: boolean }
}

export interface Supervisor {
  id: number
  name: string
}

export type SupervisorRejection = { ok: false; reason: 'wrong' } | { ok: false; reason: 'too-many'; retryAfter: number }

/**
 * Checks a supervisor's phone and approval code at a cashier's POS. A wrong code, no code, no permission and an unknown phone get the same
 * response, and each counts towards the limits. One that a limit refuses uses up nothing of the others: at a locked POS a supervisor's own
 * right code would lock it everywhere.
 */
export async function checkSupervisor(
  { db, now, env }: SupervisorDeps,
  cashier: StaffActor,
  typed: { phone: string; code: string },
): Promise<{ ok: true; supervisor: Supervisor } | SupervisorRejection> {
  const phone = normalizePhone(typed.phone) ?? 'none'
  const counted = env.rateLimit
    ? [
        { key: `pos-code:${phone}`, limit: WRONG_CODES.perPerson },
        { key: `pos-code-day:${phone}`, limit: WRONG_CODES.perPersonAndDay },
        { key: `pos-code-at:${cashier.id}`, limit: WRONG_CODES.perPos },
      ]
    : []
  const limited = await countChain(db, counted, now())
  if (limited) return { ok: false, reason: 'too-many', retryAfter: limited.retryAfter }
  const supervisor = await findSupervisor(db, phone)
  const isValid = await isPassword(supervisor?.hash ?? null, readCode(typed.code) ?? '')
  if (!supervisor || !isValid) return { ok: false, reason: 'wrong' }
  await uncountChain(db, counted, now())
  return { ok: true, supervisor: { id: supervisor.id, name: supervisor.name } }
}

export type ApproveResult = { ok: true; by: string } | { ok: false; reason: 'no-shift' | 'nothing' | 'sold' } | SupervisorRejection

/** Records a supervisor's approval of a cashier's sale. It is valid for the sale with this key and exactly these terms, in the open shift. */
export async function approve(deps: SupervisorDeps, cashier: StaffActor, form: ApproveForm): Promise<ApproveResult> {
  if (form.discount === 0 && !form.lines.some(({ isPriceSet, isHeld }) => isPriceSet || isHeld)) return { ok: false, reason: 'nothing' }
  const checked = await checkSupervisor(deps, cashier, form)
  if (!checked.ok) return checked
  return inTransaction(deps.db, (tx) => write(tx, cashier, checked.supervisor, form, deps.now()))
}

async function findSupervisor(db: Db, phone: string): Promise<{ id: number; name: string; hash: string } | null> {
  const found = await db
    .selectFrom('users as u')
    .innerJoin('pos_approval_codes as c', 'c.user_id', 'u.id')
    .select(['u.id', 'u.name', 'u.role', 'c.code_hash as hash'])
    .where('u.phone', '=', phone)
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst()
  return found && found.role !== 'walk-in' && can(found.role, 'pos.approve') ? found : null
}

async function write(tx: Db, cashier: StaffActor, supervisor: Supervisor, form: ApproveForm, now: Date): Promise<ApproveResult> {
  const shift = await findOpenShift(tx, cashier.id, 'share')
  if (!shift) return { ok: false, reason: 'no-shift' }
  const { rows } = await sql`insert into pos_approvals (shift_id, sale_key, supervisor_id, discount_poisha, lines, at)
    values (${shift.id}, ${form.sale_key}, ${supervisor.id}, ${form.discount}, ${JSON.stringify(form.lines)}::jsonb, ${now})
    on conflict (shift_id, sale_key) do update set supervisor_id = excluded.supervisor_id, discount_poisha = excluded.discount_poisha,
      lines = excluded.lines, at = excluded.at where pos_approvals.order_id is null returning id`.execute(tx)
  if (rows.length === 0) return { ok: false, reason: 'sold' }
  const after = { supervisor: supervisor.name, supervisor_id: supervisor.id, ...approvedJson(form) }
  await audit(tx, cashier, { action: 'approved', subject: 'shift', id: shift.id, after })
  return { ok: true, by: supervisor.name }
}
