import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { type OrderStoreBody, orderStoreBody } from '#features/orders/checkout/forms.ts'
import { buyerOf, openPaymentPage } from '#features/orders/checkout/api.server.ts'
import { checkout } from '#features/orders/checkout/checkout.server.ts'
import { legacyIdempotencyKey, type LegacySender } from '#features/orders/checkout/legacy-idempotency-key.server.ts'
import { GATEWAY_WAIT_MS, REQUESTED_GATEWAYS } from '#features/payments/gateway.ts'
import { clientNetwork } from '#lib/http/client-network.ts'
import { wantsJson } from '#lib/http/request-kind.server.ts'
import { type MessageKey, textByKey } from '#lib/i18n/translate.ts'
import { readId, readShortId } from '#lib/format/id.ts'
import { parseAmount, poishaToTaka, readTaka } from '#lib/format/money.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { orderPlaceProps, type LegacyValues, type OrderPlaceProps } from '#site/store/product/order-form-data.server.ts'
import type { Deps } from '../deps.ts'
import type { PageRenderer } from '../page/page-renderer.ts'
import { setOrderAccessCookie } from '#features/orders/order-access.server.ts'

/** The legacy one-product form: redirects to the payment page or the invoice; errors render the form with the submitted values. */
export function legacyOrderRoutes(app: FastifyInstance, deps: Deps, pages: PageRenderer): void {
  const setAccessCookie = setOrderAccessCookie(deps)
  const form = new LegacyForm(deps, pages)
  app.withTypeProvider<ZodTypeProvider>().post(
    '/order-store',
    {
      config: { page: true, timeoutMs: GATEWAY_WAIT_MS },
      schema: { tags: ['orders'], summary: 'The legacy one-product form', body: orderStoreBody },
    },
    async (request, reply) => {
      const { body } = request
      const t = textByKey(request.viewer.lang)
      const errors = requiredErrors(body, t)
      if (Object.keys(errors).length > 0) return form.renderErrors(request, reply, errors, 422)

      const idempotencyKey = await legacyIdempotencyKey(
        deps.db,
        senderOf(request),
        { values: valuesOf(body), productId: body.pid },
        deps.now(),
      )
      const buyer = { ...buyerOf(request), idempotencyKey, isKeySecret: false }
      const placed = await checkout({ ...deps, publicUrl: deps.env.publicUrl }, orderOf(body), buyer, 'legacy')
      if (!placed.ok) {
        const { status } = placed
        const retryAfter = placed.more?.retryAfterSeconds
        if (typeof retryAfter === 'number') reply.header('retry-after', retryAfter)
        const text = placed.text ?? t(status === 422 ? 'error.invalid' : placed.key)
        return form.renderErrors(request, reply, status === 422 ? fieldErrors(placed.errors) : { form: text }, status, placed.more)
      }
      if (placed.shown) deps.catalogRevision.advance()
      if (placed.newBrowser !== null) setAccessCookie(reply, placed.newBrowser)
      const page = placed.payOnline ? await openPaymentPage(deps, placed.orderId) : null
      // When the gateway does not answer, the invoice offers to pay again.
      const next = (page?.ok ? page.redirectUrl : null) ?? `/invoice/${placed.orderId}`
      return wantsJson(request) ? { redirect_url: next, order_id: placed.orderId } : reply.redirect(next, 303)
    },
  )
}

type LegacyRequest = FastifyRequest<{ Body: OrderStoreBody }>

/** Replies with the form's errors. */
class LegacyForm {
  readonly #deps: Deps
  readonly #pages: PageRenderer

  constructor(deps: Deps, pages: PageRenderer) {
    this.#deps = deps
    this.#pages = pages
  }

  async renderErrors(request: LegacyRequest, reply: FastifyReply, errors: OrderPlaceProps['errors'], status: number, more: object = {}) {
    if (wantsJson(request)) {
      const texts = Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [text ?? '']]))
      return reply.fail(status, 'error.invalid', { text: Object.values(errors)[0] ?? '', errors: texts, ...more })
    }
    const { body } = request
    const props = await orderPlaceProps(this.#deps.db, productId(body), request.viewer.lang, valuesOf(body), errors)
    if (!props) return reply.fail(status === 410 ? 410 : 404, 'error.not-found')
    const head = { title: props.product.product_type, canonical: null }
    return this.#pages.send(request, reply, 'store/product/order-form', { status, props, head })
  }
}

function senderOf(request: FastifyRequest): LegacySender {
  const { user, issuedBrowser } = request.viewer
  const client = `${clientNetwork(request.ip)} ${request.headers['user-agent'] ?? ''}`
  return { userId: user?.id ?? null, accessToken: issuedBrowser, client }
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

/** The gateway that the form names, the default one when it names none. Null for anything else: this form pays online only. */
function gatewayOf({ payment_gateway: sent }: OrderStoreBody): (typeof REQUESTED_GATEWAYS)[number] | null {
  return sent === undefined || sent === null ? 'pgw' : (REQUESTED_GATEWAYS.find((name) => name === sent) ?? null)
}

/** The delivery charge of the form in taka; null without one, -1 for an unreadable one, which no order has. */
function shippingOf({ shipping_cost: sent }: OrderStoreBody): number | null {
  if (sent === undefined || sent === null || sent === '') return null
  const amount = typeof sent === 'number' ? readTaka(sent) : typeof sent === 'string' ? parseAmount(sent) : null
  return amount === null ? -1 : poishaToTaka(amount)
}

/** The form as a request of the cart's checkout, paid in full online. */
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
      area_id: readShortId(form.area),
    },
    products: [{ product_id: productId(form), quantity: Number(latinDigits(form.quantity.trim())) }],
    payment_type: 'full' as const,
    payment_gateway: gatewayOf(form) ?? ('pgw' as const),
    shipping_cost: shippingOf(form),
  }
}

function productId(form: OrderStoreBody): number {
  return readId(form.pid) ?? 0
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
