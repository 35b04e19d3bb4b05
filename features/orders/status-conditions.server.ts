// SQL conditions on the status of orders `o`. Each is made of the list that a function of rules.ts reads, so both always agree. The statuses
// are literals: PostgreSQL compares them with the predicates of partial indexes.
import { type RawBuilder, sql } from 'kysely'
import { ENDED_STATUSES } from '#features/ledger/rules.ts'
import { HANDED_OVER_STATUSES, isEditable, isSent, OPEN_STATUSES, ORDER_STATUSES, type OrderStatus, TO_SEND_STATUSES } from './rules.ts'

const list = (statuses: readonly OrderStatus[]) => sql.join(statuses.map((status) => sql.lit(status)))

/** As `isEnded`. */
export const IS_ENDED: RawBuilder<boolean> = sql`o.status in (${list(ENDED_STATUSES)})`

/** As `isLive`. */
export const IS_LIVE: RawBuilder<boolean> = sql`o.status not in (${list(ENDED_STATUSES)})`

/** As `isToSend`. */
export const IS_TO_SEND: RawBuilder<boolean> = sql`o.status in (${list(TO_SEND_STATUSES)})`

/** As `isOpen`. */
export const IS_OPEN: RawBuilder<boolean> = sql`o.status in (${list(OPEN_STATUSES)})`

/** As `isHandedOver`. */
export const IS_HANDED_OVER: RawBuilder<boolean> = sql`o.status in (${list(HANDED_OVER_STATUSES)})`

/** As `isEditable`, as a list that an index on the status finds. */
export const IS_EDITABLE: RawBuilder<boolean> = sql`o.status in (${list(ORDER_STATUSES.filter(isEditable))})`

/** The order had left the shop by its event `e`, which gave it a status. */
export const HAD_LEFT: RawBuilder<boolean> = sql`e.to_status in (${list(ORDER_STATUSES.filter((status) => isSent(status) || status === 'returned'))})`

/** Live orders with an amount due above zero, in the words of the partial index `orders_due`: the planner does not prove it from `amount_due`. */
export const OWES: RawBuilder<boolean> = sql`o.ledger_balance_poisha < o.total_poisha and ${IS_LIVE}`

/**
 * Orders with a refund due, in the words of the partial index `orders_refund`. PostgreSQL takes them for a third of all orders: their ids are
 * read first, so that it does not walk all orders along the index of a sort.
 */
export const IS_REFUND_DUE: RawBuilder<boolean> = sql`o.id = any(array(select r.id from orders r where amount_due(r) < 0))`

/** The order waits for an advance that the customer transfers by hand. */
export const AWAITS_ADVANCE: RawBuilder<boolean> = sql`o.status = 'placed' and o.payment_type = 'partial' and o.payment_gateway = 'NONE'`
