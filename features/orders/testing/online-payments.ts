import { sql } from 'kysely'
import type { Faults } from '#dev/payment-simulator/faults.ts'
import { startSimulator } from '#features/payments/testing/start-simulator.ts'
import { buildAnimal, buildProduct, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import type { TestShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'
import type { AdminOrder } from '../history/order-details.server.ts'

type Gateway = 'sslcommerz' | 'bkash'

/** Connects the shop to the payment simulator, whose faults the test chooses. */
export async function payAtSimulator(shop: TestShop) {
  const simulator = await startSimulator()
  const { sslcommerz, bkash } = simulator
  Object.assign(shop.deps.gateways, { sslcommerz, bkash, default: 'sslcommerz' })

  /** A cow whose advance of 11,500 taka is to be paid online, and the address of its payment page. */
  async function ordered(areaId: number, gateway: Gateway = 'sslcommerz') {
    const cow = await buildAnimal(shop.db)
    const payment = { payment_type: 'partial', payment_gateway: gateway, payable_amount: 11_500, partial_payment: 11_500 }
    const answer = await shop.post('/customer-orders', orderBody(areaId, [[cow.id, 1]], payment))
    if (!answer.body.redirect_url) throw new Error(answer.text)
    return { id: answer.body.order_id!, cow: cow.id, page: answer.body.redirect_url }
  }

  /** A product with tracked stock for 11,500 taka with delivery, to be paid in full online. */
  async function orderedInFull(areaId: number) {
    const honey = await buildProduct(shop.db, { unit: 'piece', stock_milli: 5000, price_poisha: 1_142_000 })
    const answer = await shop.post('/customer-orders', orderBody(areaId, [[honey.id, 1]], { payment_gateway: 'sslcommerz' }))
    if (!answer.body.redirect_url) throw new Error(answer.text)
    return { id: answer.body.order_id!, page: answer.body.redirect_url }
  }

  /** Pays on the page as a browser does, with faults for this payment only. Returns the parameters that the browser posted back. */
  async function payOn(page: string, faults: Faults = {}) {
    await simulator.faults({ notify: 'never', ...faults })
    const isCard = page.includes('EasyCheckOut')
    const pressed = await simulator.press(page, isCard ? 'Pay with VISA' : 'Pay')
    const body = new URLSearchParams(pressed.body)
    await fetch(pressed.location, isCard ? { method: 'POST', body, redirect: 'manual' } : { redirect: 'manual' })
    return pressed.body
  }

  async function paid(areaId: number, { gateway = 'sslcommerz', faults = {} }: { gateway?: Gateway; faults?: Faults } = {}) {
    const order = await ordered(areaId, gateway)
    const returned = await payOn(order.page, faults)
    return { ...order, returned }
  }

  return { simulator, orderedInFull, payOn, paid }
}

/** The order as the admin's page has it, for `who`. */
export async function adminOrder(who: Visitor, id: number): Promise<AdminOrder> {
  const answer = await who.get(`/admin/orders/update/${id}`, { accept: 'text/html' })
  if (answer.status !== 200) throw new Error(answer.text)
  return pageProps<{ order: AdminOrder }>(answer.text).order
}

/** All data that a review or a refund may change; money in taka. */
export async function moneyOf({ db }: TestShop, id: number) {
  const { rows } = await sql<{
    status: string
    attention: string | null
    expires_at: Date | null
    cow: string
    paid: number
    ledger: number[]
    attempts: string[]
    refunds: string[]
    sms: string[]
    events: string[]
    log: string[]
  }>`
    select o.status, o.needs_attention as attention, o.expires_at, amount_received(o)::float8 / 100 as paid,
      (select p.status from order_lines l join products p on p.id = l.product_id where l.order_id = o.id limit 1) as cow,
      (select coalesce(array_agg(amount_poisha::float8 / 100 order by id), '{}') from ledger_entries where order_id = o.id) as ledger,
      (select coalesce(array_agg(state order by id), '{}') from payment_attempts where order_id = o.id) as attempts,
      (select coalesce(array_agg(state order by id), '{}') from gateway_refunds where order_id = o.id) as refunds,
      (select coalesce(array_agg(regexp_replace(template, '-[0-9]+$', '') order by id), '{}') from sms_outbox
        where order_id = o.id and template <> 'order-placed') as sms,
      (select coalesce(array_agg(kind || ' ' || actor order by id), '{}') from order_events where order_id = o.id and kind <> 'placed') as events,
      (select coalesce(array_agg(action order by id), '{}') from audit_log where subject = 'order' and subject_id = o.id::text) as log
    from orders o where o.id = ${id}`.execute(db)
  return rows[0]!
}
