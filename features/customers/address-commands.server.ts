import { sql } from 'kysely'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { type Result, ok, refused } from '#lib/result.ts'
import { findAddress, listAddresses } from './address-queries.server.ts'
import { ADDRESS_FIELDS, MAX_ADDRESSES, type Address, type AddressForm } from './address-rules.ts'

/**
 * Serializes changes of one address book. Orders of the customer are not blocked. False when the account was closed, merged or erased
 * meanwhile: an address would stay where nobody finds it.
 */
async function lockBook(tx: Db, customerId: number): Promise<boolean> {
  const users = tx.selectFrom('users').select('id').where('id', '=', customerId).where('disabled_at', 'is', null)
  return (await users.forNoKeyUpdate().executeTakeFirst()) !== undefined
}

/**
 * Adds an address; the first one is the default. `book-full` when there are `MAX_ADDRESSES`, `closed` without an open account. An address that
 * the book has is returned: a form that was sent again, as after a lost answer.
 */
export async function addAddress(db: Db, customerId: number, form: AddressForm): Promise<Result<Address, 'book-full' | 'closed'>> {
  return inTransaction(db, async (tx): Promise<Result<Address, 'book-full' | 'closed'>> => {
    if (!(await lockBook(tx, customerId))) return refused('closed')
    const known = (await listAddresses(tx, customerId)).find((one) => ADDRESS_FIELDS.every((field) => one[field] === form[field]))
    if (known) return ok(known)
    const { rows } = await sql<{ id: number }>`
      insert into addresses (customer_id, name, phone, alternate_phone, address, landmark, note, area_id, is_default)
      select ${customerId}, ${form.name}, ${form.phone}, ${form.alternate_phone}, ${form.address}, ${form.landmark}, ${form.note}, ${form.area_id}, existing.n = 0
      from (select count(*) as n from addresses where customer_id = ${customerId}) existing where existing.n < ${MAX_ADDRESSES} returning id`.execute(
      tx,
    )
    if (!rows[0]) return refused('book-full')
    return ok((await findAddress(tx, customerId, rows[0].id)) as Address)
  })
}

/** Changes an address of the customer; a null landmark is not changed. Null when the customer has no such address. */
export async function updateAddress(
  db: Db,
  customerId: number,
  id: number,
  form: Omit<AddressForm, 'landmark'> & { landmark: string | null },
): Promise<Address | null> {
  await sql`
    update addresses set name = ${form.name}, phone = ${form.phone}, alternate_phone = ${form.alternate_phone}, address = ${form.address},
      landmark = coalesce(${form.landmark}, landmark), note = ${form.note}, area_id = ${form.area_id}, updated_at = now()
    where id = ${id} and customer_id = ${customerId}`.execute(db)
  return findAddress(db, customerId, id)
}

/** Makes an address of the customer the default. Null, without a change, when the customer has no such address. */
export async function chooseAddress(db: Db, customerId: number, id: number): Promise<Address | null> {
  return inTransaction(db, async (tx) => {
    await lockBook(tx, customerId)
    const address = await findAddress(tx, customerId, id)
    if (address === null || address.is_default) return address
    // Two statements: a unique index allows one default at a time.
    await tx
      .updateTable('addresses')
      .set({ is_default: false })
      .where('customer_id', '=', customerId)
      .where('is_default', '=', true)
      .execute()
    await tx.updateTable('addresses').set({ is_default: true }).where('id', '=', id).execute()
    return { ...address, is_default: true }
  })
}

/** Deletes an address. After the default is deleted, the newest other one becomes the default [C9]. False when there is no such address. */
export async function deleteAddress(db: Db, customerId: number, id: number): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await lockBook(tx, customerId)
    const { numDeletedRows } = await tx
      .deleteFrom('addresses')
      .where('id', '=', id)
      .where('customer_id', '=', customerId)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) return false
    await sql`
      update addresses set is_default = true where id = (select max(id) from addresses where customer_id = ${customerId})
        and not exists (select 1 from addresses where customer_id = ${customerId} and is_default)`.execute(tx)
    return true
  })
}
