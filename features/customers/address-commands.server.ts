import { sql } from 'kysely'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { type Result, ok, refused } from '#lib/result.ts'
import { findAddress } from './address-queries.server.ts'
import { MAX_ADDRESSES, type Address, type AddressForm } from './address-rules.ts'

/** Two changes of one book wait for each other; orders of the same customer do not. */
async function lockBook(tx: Db, customerId: number): Promise<void> {
  await sql`select 1 from users where id = ${customerId} for no key update`.execute(tx)
}

/** Writes a new address into the book; the first one is the default. StockUnavailableError when the book is full. */
export async function addAddress(db: Db, customerId: number, form: AddressForm): Promise<Result<Address, 'book-full'>> {
  return inTransaction(db, async (tx) => {
    await lockBook(tx, customerId)
    const { rows } = await sql<{ id: number }>`
      insert into addresses (customer_id, name, phone, alternate_phone, address, landmark, note, area_id, is_default)
      select ${customerId}, ${form.name}, ${form.phone}, ${form.alternate_phone}, ${form.address}, ${form.landmark}, ${form.note}, ${form.area_id}, kept.n = 0
      from (select count(*) as n from addresses where customer_id = ${customerId}) kept where kept.n < ${MAX_ADDRESSES} returning id`.execute(
      tx,
    )
    if (!rows[0]) return refused('book-full')
    return ok((await findAddress(tx, customerId, rows[0].id)) as Address)
  })
}

/** Changes an address of this customer; a landmark of null stays as it is. Null when the customer has no such address. */
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

/** Makes an address of this customer the default. Null when the customer has no such address: then nothing changes. */
export async function chooseAddress(db: Db, customerId: number, id: number): Promise<Address | null> {
  return inTransaction(db, async (tx) => {
    await lockBook(tx, customerId)
    const address = await findAddress(tx, customerId, id)
    if (address === null || address.is_default) return address
    // One after the other: there is never a moment with two.
    await sql`update addresses set is_default = false where customer_id = ${customerId} and is_default`.execute(tx)
    await sql`update addresses set is_default = true where id = ${id}`.execute(tx)
    return { ...address, is_default: true }
  })
}

/** Takes an address out of the book; when it was the default, the newest of the others becomes it [C9]. False when there is no such address. */
export async function deleteAddress(db: Db, customerId: number, id: number): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await lockBook(tx, customerId)
    const { rows } = await sql`delete from addresses where id = ${id} and customer_id = ${customerId} returning id`.execute(tx)
    if (rows.length === 0) return false
    await sql`
      update addresses set is_default = true where id = (select max(id) from addresses where customer_id = ${customerId})
        and not exists (select 1 from addresses where customer_id = ${customerId} and is_default)`.execute(tx)
    return true
  })
}
