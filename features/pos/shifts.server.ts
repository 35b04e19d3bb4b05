import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { poisha, poishaToTaka, ZERO } from '#lib/format/money.ts'
import { lockDrawer, moveDrawerCash, refusesCash } from './drawer.server.ts'
import type { CashMoveForm, CloseShiftForm, OpenShiftForm } from './forms.ts'
import { findOrCreateRegister } from './registers.server.ts'
import { EXTRA_METHODS, type ExtraMethod, type PaymentMethod, STANDARD_METHODS } from './rules.ts'
import { cashInDrawer, findOpenShift, lockOpenShift, sumShift } from './shift-queries.server.ts'

/** Opens the cashier's shift with the counted cash: one of a cashier, and one at a register, whose drawer it has. */
export async function openShift(
  db: Db,
  clerk: Actor,
  { opening_cash: openingCash, register }: OpenShiftForm,
  now: Date,
): Promise<
  | { ok: true; id: number; register: string; registerId: number | null }
  | { ok: false; reason: 'already-open' | 'register-taken' | 'register-off' }
> {
  try {
    return await inTransaction(db, async (tx) => {
      const at = await findOrCreateRegister(tx, register)
      if (at?.active === false) return { ok: false, reason: 'register-off' } as const
      const place = { register: at?.name ?? '', register_id: at?.id ?? null }
      const shift = { cashier_id: clerk.id, opened_at: now, opening_cash_poisha: openingCash, ...place }
      const { id } = await tx.insertInto('pos_shifts').values(shift).returning('id').executeTakeFirstOrThrow()
      await audit(tx, clerk, {
        action: 'created',
        subject: 'shift',
        id,
        after: { opening_cash: poishaToTaka(openingCash), register: place.register },
      })
      return { ok: true, id, register: place.register, registerId: place.register_id } as const
    })
  } catch (error) {
    if (constraintOf(error) === 'one_open_shift') return { ok: false, reason: 'already-open' }
    if (constraintOf(error) === 'one_open_shift_of_register') return { ok: false, reason: 'register-taken' }
    throw error
  }
}

/** `at`: when it was recorded, an ISO instant. */
export type CashMoved = { ok: true; at: string } | { ok: false; reason: 'no-shift' | 'more-than-there-is' }

/** Records cash in or out with its reason; never more than the drawer holds. */
export function moveCash(db: Db, clerk: Actor, { direction, amount, reason }: CashMoveForm, now: Date): Promise<CashMoved> {
  return inTransaction(db, async (tx) => {
    const shift = await lockDrawer(tx, clerk)
    if (!shift) return { ok: false, reason: 'no-shift' } as const
    const move = { amount: poisha(direction === 'in' ? amount : -amount), reason }
    if (await refusesCash(tx, clerk, shift, move)) return { ok: false, reason: 'more-than-there-is' } as const
    await moveDrawerCash(tx, clerk, shift, move, now)
    return { ok: true, at: now.toISOString() } as const
  })
}

/** Counted less expected by method, in taka; an extra method that the shift did not take is absent. */
export type Differences = { [method in PaymentMethod]?: number }

export type CloseResult =
  | { ok: true; id: number; openedAt: Date }
  | { ok: false; reason: 'no-shift' }
  /** The counted amounts differ from the ledger: the cashier must give a reason. */
  | { ok: false; reason: 'unexplained'; differences: Differences }

/**
 * Closes the shift with the counted amounts; a difference needs a reason and stays visible. A count without its reason is written to the
 * audit log, so that counting again until it matches is seen. `methods`: the extra payment methods that are switched on. `shiftId`: a shift of
 * another cashier, who cannot close it.
 */
export function closeShift(
  db: Db,
  clerk: Actor,
  form: CloseShiftForm,
  { methods, shiftId, now }: { methods: readonly ExtraMethod[]; shiftId?: number; now: Date },
): Promise<CloseResult> {
  return inTransaction(db, async (tx): Promise<CloseResult> => {
    // The exclusive lock waits for sales being written and prevents new ones.
    const shift = shiftId === undefined ? await findOpenShift(tx, clerk.id, 'update') : await lockOpenShift(tx, shiftId)
    if (!shift || (form.shift_id ?? shift.id) !== shift.id) return { ok: false, reason: 'no-shift' }
    const totals = await sumShift(tx, shift.id)
    const expected = (method: PaymentMethod) => (method === 'cash' ? cashInDrawer(shift, totals) : poisha(totals.methods[method] ?? 0))
    const counted = (method: PaymentMethod) => form[`counted_${method}`] ?? ZERO
    // A method that was switched off meanwhile still has its line, by its payments.
    const extra = EXTRA_METHODS.filter((method) => counted(method) !== 0 || method in totals.methods || methods.includes(method))
    const differences: Differences = Object.fromEntries(
      [...STANDARD_METHODS, ...extra].map((method) => [method, poishaToTaka(poisha(counted(method) - expected(method)))]),
    )
    if (form.note === '' && Object.values(differences).some((difference) => difference !== 0)) {
      await audit(tx, clerk, { action: 'changed', subject: 'shift', id: shift.id, after: { closed: false, differences } })
      return { ok: false, reason: 'unexplained', differences }
    }
    await tx
      .updateTable('pos_shifts')
      .set({ counted_cash_poisha: form.counted_cash, counted_bkash_poisha: form.counted_bkash, counted_bank_poisha: form.counted_bank })
      .set({ expected_cash_poisha: expected('cash'), expected_bkash_poisha: expected('bkash'), expected_bank_poisha: expected('bank') })
      .set({ closed_at: now, note: form.note, z_number: await nextZNumber(tx) })
      .where('id', '=', shift.id)
      .execute()
    const counts = extra.map((method) => {
      return { shift_id: shift.id, method, counted_poisha: counted(method), expected_poisha: expected(method) }
    })
    if (counts.length > 0) await tx.insertInto('pos_shift_counts').values(counts).execute()
    await audit(tx, clerk, { action: 'changed', subject: 'shift', id: shift.id, after: { closed: true, differences, note: form.note } })
    return { ok: true, id: shift.id, openedAt: shift.openedAt }
  })
}

/** The next number of a Z report. The lock makes shifts that close at once wait for each other, so that no number is left out. */
async function nextZNumber(tx: Db): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('z-number'))`.execute(tx)
  const { last } = await tx
    .selectFrom('pos_shifts')
    .select((eb) => eb.fn.max('z_number').as('last'))
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}
