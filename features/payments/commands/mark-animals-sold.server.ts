import { sql } from 'kysely'
import { findPayableOrder } from '#features/payments/queries.server.ts'
import { animalsAreSold } from '#features/payments/payment-verification-rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Poisha } from '#lib/format/money.ts'

/** The claimed animals of an order go from hold to sold [S2]: its money is there, or the staff say so. The order must be locked. */
export async function sellAnimals(tx: Db, orderId: number): Promise<void> {
  await sql`select 1 from products where id in (select product_id from animal_holds where order_id = ${orderId}) order by id for update`.execute(
    tx,
  )
  await sql`update products set status = 'sold', hold_reason = null
    where status = 'hold' and id in (select product_id from animal_holds where order_id = ${orderId})`.execute(tx)
}

/** The same, if the order's ledger covers their advance or the full price. */
export async function sellPaidAnimals(tx: Db, orderId: number): Promise<void> {
  const order = await findPayableOrder(tx, orderId)
  const { rows } = await sql<{ advances: Poisha }>`select coalesce(sum(advance_poisha), 0)::bigint as advances from order_lines
    where order_id = ${orderId}`.execute(tx)
  if (order && animalsAreSold(order, rows[0]!.advances)) await sellAnimals(tx, orderId)
}
