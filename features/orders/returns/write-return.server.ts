// Writes a return, of the POS and of the admin: its rows, its stock, and the ledger entry that lowers what the order costs.
import { sql } from 'kysely'
import type { Actor } from '#features/audit/audit.server.ts'
import { addLedgerEntry } from '#features/ledger/ledger.server.ts'
import { type ReturnedLine, returnStock } from '#features/stock/stock.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { toCamel } from '#lib/db/rows.ts'
import { type Poisha, poisha } from '#lib/format/money.ts'
import { reverseAdjustments } from '#features/ledger/adjustment-entries.server.ts'
import { returnedValue, type ReturnSums } from './return-rules.ts'
import type { NamedSoldOrder } from './sold-order.server.ts'

/** The idempotency key of a return, and the hash of its request. */
export interface ReturnKey {
  key: string
  hash: string
}

export interface NewReturn {
  orderId: number
  sold: NamedSoldOrder
  lines: readonly ReturnedLine[]
  sums: ReturnSums
  /** The part of the value that is paid back with the return. */
  refund: Poisha
  reason: string
  key: ReturnKey
  at: Date
  /** The shift of a return at the POS, or the member of staff who recorded one in the admin. */
  by: { shiftId: number; approvedBy: number | null } | { staffId: number }
}

/** The return of this idempotency key, or null. A concurrent request with the same key waits here for the first one. */
export async function findEarlierReturn(tx: Db, { key, hash }: ReturnKey): Promise<{ id: number; at: Date; isSame: boolean } | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
  const { rows } = await sql<{ id: number; at: Date; is_same: boolean }>`
    select id, at, request_hash = decode(${hash}, 'hex') as is_same from pos_returns where idempotency_key = ${key}`.execute(tx)
  return rows[0] ? toCamel<{ id: number; at: Date; isSame: boolean }>(rows[0]) : null
}

/** Records the returned products: the return with its lines, and their stock. Order and products must be locked. Returns its id. */
export async function writeReturn(tx: Db, { orderId, sold, lines, sums, refund, reason, key, at, by }: NewReturn): Promise<number> {
  const isAtPos = 'shiftId' in by
  const { id } = await tx
    .insertInto('pos_returns')
    .values({
      order_id: orderId,
      shift_id: isAtPos ? by.shiftId : null,
      staff_id: isAtPos ? null : by.staffId,
      approved_by: isAtPos ? by.approvedBy : null,
      at,
      reason,
      worth_poisha: sums.worth,
      refund_poisha: refund,
      idempotency_key: key.key,
      request_hash: Buffer.from(key.hash, 'hex'),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = lines.map(({ productId, quantityMilli, isSpoiled }) => {
    const goods = returnedValue(
      sold.lines.find((line) => line.productId === productId)!,
      quantityMilli,
    )
    return { return_id: id, product_id: productId, quantity_milli: quantityMilli, goods_poisha: goods, is_spoiled: isSpoiled }
  })
  await tx.insertInto('pos_return_lines').values(rows).execute()
  await returnStock(tx, orderId, lines)
  return id
}

/**
 * Lowers what the order costs by the value of a return. When everything is back, the order will be `returned` and cost nothing: earlier
 * returns are reversed. A debt that was written off is no longer one.
 */
export async function writeReturnEntry(
  tx: Db,
  { orderId, returnId, sold, sums }: { orderId: number; returnId: number; sold: NamedSoldOrder; sums: ReturnSums },
  actor: Actor,
  at: Date,
): Promise<void> {
  const amount = sums.isAll ? poisha(-sold.returnedWorth) : sums.worth
  const entry = { orderId, kind: 'return', method: 'return', reference: `return-${returnId}`, actorId: actor.id, at } as const
  if (amount !== 0) await addLedgerEntry(tx, { ...entry, amount })
  await reverseAdjustments(tx, orderId, actor, at)
}
