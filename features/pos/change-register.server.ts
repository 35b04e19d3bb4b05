import { type Actor, audit } from '#features/audit/audit.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { updateVersioned } from '#lib/db/versioned.server.ts'
import type { RegisterForm } from './register-forms.ts'
import { findRegisterRecord, type RegisterRecord } from './registers.server.ts'

export type RegisterChange =
  | { ok: true; register: RegisterRecord }
  | { ok: false; reason: 'stale' | 'missing' | 'name-taken' }
  /** A shift is open at the register: it cannot be switched off. */
  | { ok: false; reason: 'in-use'; by: string }

/**
 * Renames a register, or switches it on or off, if it still has this version. Shifts keep the name that was printed on their receipts. The
 * lock makes a shift that is being opened (`findOrCreateRegister`) and the switch wait for each other.
 */
export async function changeRegister(db: Db, actor: Actor, id: number, version: number, form: RegisterForm): Promise<RegisterChange> {
  try {
    return await inTransaction(db, async (tx): Promise<RegisterChange> => {
      await tx.selectFrom('pos_registers').select('id').where('id', '=', id).forUpdate().execute()
      const before = await findRegisterRecord(tx, id)
      if (!before) return { ok: false, reason: 'missing' }
      if (!form.active && before.open_by !== null) return { ok: false, reason: 'in-use', by: before.open_by }
      const updated = await updateVersioned(tx, 'pos_registers', id, version, form)
      if (!updated.ok) return updated
      const pick = ({ name, active }: RegisterForm) => ({ name, active })
      await audit(tx, actor, { action: 'changed', subject: 'register', id, before: pick(before), after: pick(form) })
      return { ok: true, register: { ...before, ...form, version: updated.version } }
    })
  } catch (error) {
    if (constraintOf(error) === 'pos_registers_name') return { ok: false, reason: 'name-taken' }
    throw error
  }
}
