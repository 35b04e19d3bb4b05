import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { NewCustomer } from './admin-forms.ts'

export type CreateCustomerResult = { ok: true; id: number } | { ok: false; reason: 'phone-used'; by: { id: number; name: string } }

/**
 * Creates a customer as the staff know one: without a password, and with a phone that is not verified. An order or an account with the same
 * phone joins it later. Of concurrent calls with one phone the first creates it.
 */
export function createCustomer(db: Db, actor: Actor, form: NewCustomer, now: Date): Promise<CreateCustomerResult> {
  const { name, phone, email, note } = form
  return inTransaction(db, async (tx) => {
    // The update locks an existing row, so that its phone stays until it is read. Only an inserted row has no xmax.
    const { rows } = await sql<{ id: number; created: boolean }>`insert into users (name, phone, email, email_at)
      values (${name}, ${phone}, nullif(${email}, ''), ${email === '' ? null : now})
      on conflict (phone) do update set phone = excluded.phone returning id, xmax = 0 as created`.execute(tx)
    const { id, created } = rows[0]!
    if (!created) return { ok: false, reason: 'phone-used', by: (await findPhoneHolder(tx, phone))! }
    if (note !== '') await tx.insertInto('customer_notes').values({ customer_id: id, note, by_id: actor.id, at: now }).execute()
    await audit(tx, actor, { action: 'created', subject: 'customer', id, after: { name, phone, email, note } })
    return { ok: true, id }
  })
}

/** The user with a phone, of a merged customer the one it was merged into; null when there is none. */
export async function findPhoneHolder(db: Db, phone: string): Promise<{ id: number; name: string } | null> {
  const { rows } = await sql<{ id: number; name: string }>`select coalesce(m.id, u.id) as id, coalesce(m.name, u.name) as name
    from users u left join users m on m.id = u.merged_into where u.phone = ${phone}`.execute(db)
  return rows[0] ?? null
}
