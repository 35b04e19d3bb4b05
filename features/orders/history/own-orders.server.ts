import { sql } from 'kysely'
import type { SignedInUser } from '#features/auth/sessions.server.ts'
import { IS_ORDERABLE } from '#features/catalog/orderable.server.ts'
import type { WeighingMethod } from '#features/catalog/types.ts'
import type { Db } from '#lib/db/db.server.ts'
import { dhakaDay } from '#lib/db/dhaka-day.server.ts'
import { sha256 } from '#lib/ids/ids.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { IS_LIVE } from '../status-conditions.server.ts'
import { PRE_BOOKED_AT } from '../pre-booked.server.ts'
import { type OrderDocument, orderDocument, withSums } from '../printing/order-document.server.ts'
import type { OrderJson } from '../types.ts'

/** A signed-in customer, and the order access token of the browser. */
export interface Owner {
  user: Pick<SignedInUser, 'id' | 'isPhoneVerified'>
  browser: string | null
}

export interface WeighInSince {
  product_id: number
  weighed_on: string
  kg: number
  method: WeighingMethod
}

/** An order in its customer's account, with the weigh-ins of its animals after the booking. */
export interface OwnOrder extends OrderJson {
  weigh_ins: WeighInSince[]
  /** At least one of its products is for sale. */
  can_order_again: boolean
  /** When the cow of the order was pre-booked; null without a pre-booking. */
  pre_booked_at: string | null
}

/** The access rule of the invoice: with a verified phone all orders of the account, else those that this browser placed. */
function isOwn({ user, browser }: Owner) {
  const placedHere = browser === null ? sql`false` : sql`o.access_token_hash = ${sha256(browser)}`
  return sql`o.customer_id = ${user.id}${user.isPhoneVerified ? sql`` : sql` and ${placedHere}`}`
}

/** Of the weigh-ins of one day the last, which corrects the others. An ended order has no animals. */
const weighIns = sql`coalesce((select json_agg(json_build_object('product_id', w.product_id, 'weighed_on', w.weighed_on, 'kg', w.grams / 1000.0,
    'method', w.method) order by w.weighed_on, w.product_id)
  from (select distinct on (w.product_id, w.weighed_on) w.* from order_lines l join weigh_ins w on w.product_id = l.product_id
    where l.order_id = o.id and ${IS_LIVE} and l.tag_number is not null and w.weighed_on > ${dhakaDay(sql`o.placed_at`)}
    order by w.product_id, w.weighed_on, w.id desc) w), '[]') as weigh_ins`

/** Whether a product of the order is for sale now. `orderAgain` decides about the quantity. */
const canOrderAgain = sql`exists (select 1 from order_lines l join products p on p.id = l.product_id
  where l.order_id = o.id and p.visible and ${IS_ORDERABLE} and coalesce(p.stock_milli, 1) > 0) as can_order_again`

const preBookedAt = sql`to_json(${PRE_BOOKED_AT}) #>> '{}' as pre_booked_at`

type Additions = Pick<OwnOrder, 'weigh_ins' | 'can_order_again' | 'pre_booked_at'>
type OwnRow = OrderDocument & Additions

const ownOrder = ({ weigh_ins, can_order_again, pre_booked_at, ...row }: OwnRow): OwnOrder => ({
  ...withSums(row),
  weigh_ins,
  can_order_again,
  pre_booked_at,
})

const PAGE_SIZE = 20

/** A page of a customer's orders, newest first. A page number past the end returns the last page. Two round trips. */
export async function listOwnOrders(
  db: Db,
  owner: Owner,
  pageNumber: number,
  lang: Lang,
): Promise<{ orders: OwnOrder[]; page: number; lastPage: number; total: number }> {
  const counted = await sql<{ total: number }>`select count(*)::int as total from orders o where ${isOwn(owner)}`.execute(db)
  const total = counted.rows[0]?.total ?? 0
  const lastPage = Math.max(1, Math.ceil(total / PAGE_SIZE))
  const page = Math.min(pageNumber, lastPage)
  const { rows } = await sql<OwnRow>`
    select ${orderDocument(lang)}, ${weighIns}, ${canOrderAgain}, ${preBookedAt} from (
      select * from orders o where ${isOwn(owner)} order by placed_at desc, id desc limit ${PAGE_SIZE} offset ${(page - 1) * PAGE_SIZE}) o
    order by o.placed_at desc, o.id desc`.execute(db)
  return { orders: rows.map(ownOrder), page, lastPage, total }
}

/** An order of this customer; null for a missing order and for one of another customer. */
export async function findOwnOrder(db: Db, owner: Owner, id: number, lang: Lang): Promise<OwnOrder | null> {
  const { rows } =
    await sql<OwnRow>`select ${orderDocument(lang)}, ${weighIns}, ${canOrderAgain}, ${preBookedAt} from orders o where o.id = ${id} and ${isOwn(owner)}`.execute(
      db,
    )
  return rows[0] ? ownOrder(rows[0]) : null
}
