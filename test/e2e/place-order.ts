import type pg from 'pg'
import { orderBody } from '../factories.ts'
import { Visitor } from '../visitor.ts'

/** A visitor orders a product of the demo shop through its API, as its pages do. Returns the number of the order. */
export async function placeOrder(database: pg.Client, shopUrl: string): Promise<number> {
  const { rows } = await database.query<{ area: number; product: number; quantity: number }>(`select p.id::int as product,
    (sizes_milli::integer[])[1]::float8 / 1000 as quantity,
    (select area_id from area_charges where is_open group by area_id having count(*) = 2 order by area_id limit 1) as area
    from products p where visible and status = 'in-stock' and not is_unique and stock_milli > 20000 order by p.id limit 1`)
  const { area, product, quantity } = rows[0]!
  const { body, text } = await new Visitor(shopUrl).post('/customer-orders', orderBody(area, [[product, quantity]]))
  if (!body.order_id) throw new Error(text)
  return body.order_id
}
