import { sql } from 'kysely'
import { findOrderMoney } from '#features/ledger/ledger.server.ts'
import { animalsAreSold } from '#features/ledger/rules.ts'
import { sellHeldAnimals } from '#features/stock/stock.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Poisha } from '#lib/format/money.ts'

/** Marks the animals of an order as sold once its ledger covers their advance or the full price [S2]. The order must be locked. */
export async function sellPaidAnimals(tx: Db, orderId: number): Promise<void> {
  const money = await findOrderMoney(tx, orderId)
  const { rows } = await sql<{ advances: Poisha }>`
    select required_advance(o) as advances from orders o where o.id = ${orderId}`.execute(tx)
  if (money && animalsAreSold(money, rows[0]!.advances)) await sellHeldAnimals(tx, orderId)
}
