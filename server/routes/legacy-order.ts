import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { type OrderStoreBody, orderStoreBody } from '#features/orders/checkout/forms.ts'
import { buyerOf, openPaymentPage } from '#features/orders/checkout/api.server.ts'
import { scopedIdempotencyKey, checkout } from '#features/orders/checkout/checkout.server.ts'
import { GATEWAY_WAIT_MS } from '#features/payments/gateway.ts'
import { initialQuantity } from '#features/catalog/quantity-rules.ts'
import { clientNetwork } from '#lib/http/client-network.ts'
import { type MessageKey, translate } from '#lib/i18n/translate.ts'
import { sha256, sha256Hex } from '#lib/ids/ids.server.ts'
import { parseAmount, poishaToTaka, readTaka } from '#lib/format/money.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { orderPlaceProps, type LegacyValues, type OrderPlaceProps } from '#site/store/product/order-form-data.server.ts'
import type { Deps } from '../deps.ts'
import type { PageRenderer } from '../page/page-renderer.ts'
import { setOrderAccessCookie } from './order-access.ts'

/** The old one-product form: plain fields in, the payment page or the invoice out; with errors the form again, as typed. */
export function legacyOrderRoutes(app: FastifyInstance, deps: Deps, pages: PageRenderer): void {
  const remember = setOrderAccessCookie(deps)
  app.withTypeProvider<ZodTypeProvider>().post(
    '/order-store',
    {
      config: { page: true, timeoutMs: GATEWAY_WAIT_MS },
      schema: { tags: ['orders'], summary: 'The legacy one-product form', body: orderStoreBody },
    },
    async (request, reply) => {
      const form = request.body
      const wantsJson = (request.headers.accept ?? '').includes('application/json')
      const { lang } = request.viewer
      const errors = requiredErrors(form, translate(lang) as (key: MessageKey) => string)
      if (Object.keys(errors).length > 0) return showAgain(request, reply, form, errors, 422)

      const key = await minuteKey(deps, request, form)
      const buyer = { ...buyerOf(request), idempotencyKey: key, isKeySecret: false }
      const taken = await checkout({ ...deps, publicUrl: deps.env.publicUrl }, orderOf(form), buyer, 'legacy')
      if (!taken.ok) {
        const text = taken.text ?? (translate(lang) as (key: MessageKey) => string)(taken.status === 422 ? 'error.invalid' : taken.key)
        const wait = taken.more?.retryAfterSeconds
        if (typeof wait === 'number') reply.header('retry-after', wait)
        return showAgain(request, reply, form, taken.status === 422 ? fieldErrors(taken.errors) : { form: text }, taken.status, taken.more)
      }
      if (taken.shown) deps.kept.bump()
      if (taken.newBrowser !== null) remember(reply, taken.newBrowser)
      const page = taken.payOnline ? await openPaymentPage(deps, taken.orderId) : null
      // A gateway that does not answer now can be tried again from the invoice.
      const next = (page?.ok ? page.redirectUrl : null) ?? `/invoice/${taken.orderId}`
      return wantsJson ? { redirect_url: next, order_id: taken.orderId } : reply.redirect(next, 303)
    },
  )

  async function showAgain(
    request: FastifyRequest,
    reply: FastifyReply,
    form: OrderStoreBody,
    errors: OrderPlaceProps['errors'],
    status: number,
    more: object = {},
  ) {
    if ((request.headers.accept ?? '').includes('application/json')) {
      const texts = Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [text ?? '']]))
      return reply.refuse(status, 'error.invalid', { text: Object.values(errors)[0] ?? '', errors: texts, ...more })
    }
    const props = await orderPlaceProps(deps.db, productId(form), request.viewer.lang, valuesOf(form), errors)
    if (!props) return reply.refuse(status === 410 ? 410 : 404, 'error.not-found')
    return pages.send(request, reply, 'store/product/order-form', {
      status,
      props,
      head: { title: props.product.product_type, canonical: null },
    })
  }
}

function valuesOf({ full_name, phone, email, quantity, delivery_address, landmark, area }: OrderStoreBody): LegacyValues {
  return { full_name, phone, email, quantity, delivery_address, landmark, area }
}

function requiredErrors(form: OrderStoreBody, t: (key: MessageKey) => string): OrderPlaceProps['errors'] {
  const errors: OrderPlaceProps['errors'] = {}
  const values = valuesOf(form)
  for (const field of Object.keys(values) as (keyof LegacyValues)[]) {
    if (values[field].trim() === '') errors[field] = t('legacy.required')
  }
  if (gatewayOf(form) === null) errors.payment_gateway = t('legacy.gateway-wrong')
  if (!errors.quantity && !/^\d{1,7}(\.\d{1,3})?$/.test(latinDigits(form.quantity.trim()))) errors.quantity = t('refusal.quantity')
  return errors
}

const GATEWAYS = ['pgw', 'sslcommerz', 'bkash'] as const

/** The gateway that the form names; the shop's own when it names none. This form pays online only: null for anything else [M9]. */
function gatewayOf({ payment_gateway: sent }: OrderStoreBody): (typeof GATEWAYS)[number] | null {
  return sent === undefined || sent === null ? 'pgw' : (GATEWAYS.find((name) => name === sent) ?? null)
}

/** The delivery charge that the form sent, in taka; null when it sent none, below zero when it cannot be read: no order has that charge. */
function shippingOf({ shipping_cost: sent }: OrderStoreBody): number | null {
  if (sent === undefined || sent === null || sent === '') return null
  const amount = typeof sent === 'number' ? readTaka(sent) : typeof sent === 'string' ? parseAmount(sent) : null
  return amount === null ? -1 : poishaToTaka(amount)
}

/** The same order in the words of the cart's checkout: paid in full online. */
function orderOf(form: OrderStoreBody) {
  return {
    customer: {
      name: form.full_name,
      phone: form.phone,
      email: form.email,
      alternate_phone: '',
      address: form.delivery_address,
      landmark: form.landmark,
      note: '',
      area_id: /^\d{1,9}$/.test(form.area) ? Number(form.area) : null,
    },
    products: [{ product_id: productId(form), quantity: Number(latinDigits(form.quantity.trim())) || initialQuantity([]) / 1000 }],
    payment_type: 'full' as const,
    payment_gateway: gatewayOf(form) ?? ('pgw' as const),
    shipping_cost: shippingOf(form),
  }
}

function productId(form: OrderStoreBody): number {
  return /^\d{1,15}$/.test(form.pid) ? Number(form.pid) : 0
}

const FIELD_OF: Record<string, keyof OrderPlaceProps['errors']> = {
  'customer.name': 'full_name',
  'customer.phone': 'phone',
  'customer.email': 'email',
  'customer.address': 'delivery_address',
  'customer.landmark': 'landmark',
  'customer.area_id': 'area',
  'products.0.quantity': 'quantity',
  payment_gateway: 'payment_gateway',
  shipping_cost: 'shipping_cost',
}

function fieldErrors(errors: Record<string, string[]>): OrderPlaceProps['errors'] {
  return Object.fromEntries(Object.entries(errors).map(([field, texts]) => [FIELD_OF[field] ?? 'form', texts.join('\n')]))
}

const MINUTE_MS = 60_000

/**
 * A form without script has no key of its own: the same words from the same sender within a minute are one order. The sender is the
 * account, else the browser (the page of the form gives it its secret), else the network and the user agent. That last key is no
 * secret, so its order is repeated to a browser only where that browser placed it.
 */
async function minuteKey(deps: Deps, request: FastifyRequest, form: OrderStoreBody): Promise<string> {
  const { user, issuedBrowser } = request.viewer
  const now = deps.now().getTime()
  const minute = Math.floor(now / MINUTE_MS)
  const keyOf = (sender: string, of: number) => `legacy-${sha256Hex(JSON.stringify([sender, valuesOf(form), form.pid, of]))}`
  const client = `client ${clientNetwork(request.ip)} ${request.headers['user-agent'] ?? ''}`
  const sender = user ? `user ${user.id}` : issuedBrowser === null ? client : `browser ${issuedBrowser}`
  const candidates = [
    { key: keyOf(sender, minute - 1), of: null },
    ...(issuedBrowser === null || user ? [] : [minute, minute - 1].map((of) => ({ key: keyOf(client, of), of: issuedBrowser }))),
  ]
  const { rows } = await sql<{ key: string; access_token_hash: Buffer | null }>`
    select idempotency_key as key, access_token_hash from orders
    where idempotency_key = any(${candidates.map(({ key }) => scopedIdempotencyKey(user?.id ?? null, key))}::text[])
      and placed_at > ${new Date(now - MINUTE_MS)}`.execute(deps.db)
  const earlier = candidates.find(({ key, of }) =>
    rows.some(
      (row) => row.key === scopedIdempotencyKey(user?.id ?? null, key) && (of === null || row.access_token_hash?.equals(sha256(of))),
    ),
  )
  return earlier?.key ?? keyOf(sender, minute)
}
