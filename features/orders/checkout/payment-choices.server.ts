import { sql } from 'kysely'
import { gatewayBounds } from '#features/payments/rules.ts'
import { GATEWAY_NAMES, type GatewayName, type Gateways } from '#features/payments/gateway.ts'
import { isEnded } from '#features/ledger/rules.ts'
import { partialBounds } from '#features/pricing/partial-rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { restPayable } from '#features/payments/payment-verification-rules.ts'
import { type Poisha, poishaToTaka, takaToPoisha, ZERO } from '#lib/format/money.ts'
import { payableNow } from '../printing/invoice-rules.ts'
import { isCodeMissing } from './checkout-rules.ts'
import type { OrderVisitor } from '../queries.server.ts'
import { findChangeBlock } from '../status/own-cancel-rules.ts'
import type { OrderJson, PaymentChoicesJson } from '../types.ts'

/** The amounts of an order from which the checkout rules derive its payment methods. */
interface Terms {
  total: Poisha
  delivery: Poisha
  advances: Poisha
  /** Every product belongs to a category with cash on delivery. */
  is_cod_allowed: boolean
}

/**
 * The other payment methods of an unpaid order, amounts in taka, or the gateways that take the rest of a paid one. Null for an order that can
 * neither change its method nor pay the rest online.
 */
export async function findPaymentChoices(
  db: Db,
  order: OrderJson,
  { gateways, visitor, codCodeFrom }: { gateways: readonly GatewayName[]; visitor: OrderVisitor; codCodeFrom: Poisha | null },
): Promise<PaymentChoicesJson | null> {
  const rest = restOnline(order)
  if (rest > 0 && gateways.length > 0)
    return { online: [...gateways], amount: poishaToTaka(rest), is_rest: true, advance: null, cash_on_delivery: false }
  if (findChangeBlock(order) !== null || order.payment_type === 'cash_on_delivery') return null
  const { rows } = await sql<Terms>`
    select o.total_poisha as total, o.shipping_poisha as delivery, required_advance(o) as advances,
      bool_and(c.cod_allowed) as is_cod_allowed
    from orders o join order_lines l on l.order_id = o.id join products p on p.id = l.product_id join categories c on c.id = p.category_id
    where o.id = ${order.id} group by o.id`.execute(db)
  const terms = rows[0]
  if (!terms) return null
  const isByHand = order.payment_gateway === 'NONE'
  const amount = payableNow(order)
  const isPayableOnline = gatewayBounds(takaToPoisha(amount)) === null
  return {
    online: isPayableOnline ? gateways.filter((name) => name !== order.payment_gateway) : [],
    amount,
    is_rest: false,
    advance: terms.advances > 0 && !isByHand ? poishaToTaka(partialBounds(terms).min) : null,
    cash_on_delivery: terms.is_cod_allowed && isOpenOnDelivery(order, terms.total, visitor, codCodeFrom),
  }
}

/** Whether the visitor may change the order to cash on delivery: staff always, others as in the checkout. */
function isOpenOnDelivery(order: OrderJson, total: Poisha, { user, isPermittedStaff }: OrderVisitor, from: Poisha | null): boolean {
  const isPhoneVerified = order.phone_verified || (user?.isPhoneVerified === true && user.phone === order.phone)
  return isPermittedStaff || isPhoneVerified || !isCodeMissing(total, from)
}

/** The rest of an order that gateways take, while no reported advance may be a part of it. */
function restOnline({ status, payable, paid, due, advances }: OrderJson): Poisha {
  if (isEnded(status) || advances.some(({ state }) => state === 'waiting')) return ZERO
  const rest = restPayable({ payablePoisha: takaToPoisha(payable), paidPoisha: takaToPoisha(paid), duePoisha: takaToPoisha(due) })
  return gatewayBounds(rest) === null ? rest : ZERO
}

/** The gateways that are configured, the shop's default first. */
export function configuredGateways(gateways: Gateways): GatewayName[] {
  const names = GATEWAY_NAMES.filter((name) => gateways[name])
  return names.sort((a, b) => Number(b === gateways.default) - Number(a === gateways.default))
}
