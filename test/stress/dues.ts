import { sql } from 'kysely'
import type { OrderJson } from '#features/orders/types.ts'
import { pageProps } from '#test/page-props.ts'
import { pick, type World } from './world.ts'

const HTML = { accept: 'text/html' }

/** Orders whose pages and prints show another amount due or refund than SQL `amount_due`, or sums that do not add up to it. */
export async function wrongDues(world: World, count: number): Promise<object[]> {
  const { rows } = await sql<{ id: number; due: number; view_key: string }>`
    select id, amount_due(o)::float8 / 100 as due, view_key from orders o order by
      (exists (select 1 from pos_returns r where r.order_id = o.id) or exists (select 1 from gateway_refunds r where r.order_id = o.id) or fee_poisha + written_off_poisha <> 0) desc, random() limit ${count}`.execute(
    world.db,
  )
  const manager = pick(world.managers).at[0]
  const page = async <T>(path: string) => pageProps<T>((await manager.get(path, HTML)).text)
  const wrong: object[] = []
  for (const { id, due, view_key: key } of rows) {
    const details = (await page<{ order: { due: number } }>(`/admin/orders/update/${id}`)).order
    const printed = (await page<{ orders: { order: OrderJson }[] }>(`/admin/orders/invoice/${id}`)).orders[0]!.order
    const receipt = (await page<{ printed: { order: OrderJson } }>(`/admin/quick-orders/pos-invoice/${id}`)).printed.order
    const [row] = (await page<{ list: { rows: { due: number }[] } }>(`/admin/orders?q=${id}`)).list.rows
    const invoice = pageProps<{ order: OrderJson }>((await world.shops[1].visitor().get(`/invoice/${id}?key=${key}`, HTML)).text).order
    const shown = [details.due, printed.due, receipt.due, row?.due, invoice.due]
    if (shown.some((one) => one !== due)) wrong.push({ id, due, shown })
  }
  return wrong
}
