import { givenName } from '#features/auth/placeholder-names.server.ts'
import { staffMay } from '#features/auth/staff-access.ts'
import { sellingCategories } from '#features/catalog/categories/category-cache.server.ts'
import { categoryPath } from '#features/catalog/category-keys.ts'
import { listAreas } from '#features/catalog/areas/queries.server.ts'
import { findFinalWeighingDays } from '#features/cattle/queries.server.ts'
import { listAddresses } from '#features/customers/address-queries.server.ts'
import type { ShopCache } from '#features/catalog/shop-cache.server.ts'
import { findOrderSmsState } from '#features/messaging/queries.server.ts'
import { isConfirmed } from '#features/orders/printing/invoice-rules.ts'
import { offeredMethods } from '#features/orders/advances/account-rules.ts'
import { codCodeFrom } from '#features/orders/checkout/checkout-rules.ts'
import { findPaymentChoices } from '#features/orders/checkout/payment-choices.server.ts'
import { orderVisitor, viewKeySuffix } from '#features/orders/order-access.server.ts'
import { findOrderForVisitor } from '#features/orders/queries.server.ts'
import { readShopperCalendar } from '#features/orders/delivery-calendar.server.ts'
import { isHandedOver } from '#features/orders/rules.ts'
import { listOwnReviews } from '#features/reviews/queries.server.ts'
import { collectionAddress } from '#features/settings/collection-rules.ts'
import { readId } from '#lib/format/id.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { drawQr } from '#lib/codes/qr-code.server.ts'
import type { OtherPage, PageContext, PageRoute } from '#site/page-route.server.ts'
import { orderPlaceProps } from '../product/order-form-data.server.ts'
import { trackFormPage } from '../order/track-form-page.server.ts'

/** Links of an empty cart. */
const MAX_LINKS = 3

/** Pages from the cart to the invoice. */
export const checkoutPages: PageRoute[] = [
  {
    url: '/cart',
    page: 'store/checkout/checkout',
    personal: true,
    placesOrders: true,
    async load({ db, shopCache, lang, now, defaultGateway, user, sendsSms }) {
      const [areas, settings, weighings, addresses] = await Promise.all([
        listAreas(db, true, lang),
        shopCache.settings(),
        weighingDays(shopCache),
        user === null ? [] : listAddresses(db, user.id),
      ])
      const selling = sellingCategories(await shopCache.categories()).slice(0, MAX_LINKS)
      const { cutoff_hour, payment_numbers, expiry, meat_yield, gain_large, gain_small } = settings
      const props = {
        areas,
        now: now.toISOString(),
        cutoffHour: cutoff_hour,
        hasGateway: defaultGateway !== null,
        codCodeFrom: codCodeFrom(settings, sendsSms),
        advanceMinutes: expiry.unreportedMinutes,
        advanceHours: expiry.advanceHours,
        payTo: payment_numbers,
        weighings,
        meatYield: meat_yield,
        gainLarge: gain_large,
        gainSmall: gain_small,
        calendar: await readShopperCalendar(db, settings, now),
        collection: settings.collection.is_offered
          ? { address: collectionAddress(settings, lang), note: settings.collection.note[lang] }
          : null,
        account: user && {
          id: user.id,
          name: givenName(user.name),
          phone: user.phone,
          email: user.email ?? '',
          isPhoneVerified: user.isPhoneVerified,
        },
        addresses,
        links:
          selling.length === 0
            ? [{ href: '/', label: translate(lang)('shell.home') }]
            : selling.map((one) => ({ href: categoryPath(one), label: lang === 'bn' ? one.name_bn : one.name_en })),
      }
      return {
        props,
        head: {
          title: translate(lang)('cart.title'),
          endsWithShop: true,
          description: translate(lang)('home.description'),
          canonical: '/cart',
        },
      }
    },
  },
  {
    url: '/invoice/:id',
    page: 'store/order/invoice',
    personal: 'order',
    async load(context) {
      const found = await findOrderPage(context)
      if (!found) return notInThisBrowser(context)
      const { order } = found
      const url = context.publicUrl + order.tracking_url
      const props = { ...found, tracking: { qr: drawQr(url), url } }
      return { props, head: numberedHead('invoice.title', order.id, context.lang) }
    },
  },
  {
    url: '/order/confirmed/:id',
    page: 'store/order/confirmed',
    personal: 'order',
    async load(context) {
      const found = await findOrderPage(context)
      if (!found) return notInThisBrowser(context)
      const { order, viewKey } = found
      // Failed, waiting and ended payments have no confirmation: the invoice shows their state.
      if (!isConfirmed(order)) return { redirect: `/invoice/${order.id}${viewKeySuffix(viewKey)}` }
      const props = { ...found, sms: await findOrderSmsState(context.db, order.id, context.sendsSms) }
      return { props, head: numberedHead('confirmed.title', order.id, context.lang) }
    },
  },
  {
    url: '/order/review/:id',
    page: 'store/review/review',
    personal: 'order',
    async load(context) {
      const { db, lang, params, query } = context
      const id = readOrderId(params)
      const viewKey = query.key ?? null
      const order = await findOrderForVisitor(db, id, orderVisitor(context, viewKey), lang)
      if (!order) return notInThisBrowser(context)
      if (!isHandedOver(order.status)) return { redirect: `/invoice/${id}${viewKeySuffix(viewKey)}` }
      const lines = order.lines.map(({ product_id, name, picture_url }) => ({ product_id, name, picture_url }))
      const isDone = order.is_reviewed
      const props = { orderId: id, lines, reviews: await listOwnReviews(db, id), isDone, viewKey }
      return { props, head: { title: translate(lang)(isDone ? 'review.yours' : 'review.write'), canonical: null } }
    },
  },
  {
    url: '/order/place/:id',
    page: 'store/product/order-form',
    placesOrders: true,
    async load({ db, lang, params }) {
      const id = readOrderId(params)
      const props = await orderPlaceProps(db, id, lang)
      if (!props) return { refuse: 404 }
      return { props, head: { title: translate(lang)('legacy.title', { name: props.product.product_type }), canonical: null } }
    },
  },
]

/** The id of the path; 0, which no order has, when it is none. */
const readOrderId = ({ id }: PageContext['params']) => readId(id) ?? 0

const numberedHead = (key: 'invoice.title' | 'confirmed.title', id: number, lang: Lang) => ({
  title: translate(lang)(key, { id: localizeDigits(lang, String(id)) }),
  canonical: null,
})

/** For every order that this visitor may not see and for none: as after a payment that ended in another browser. */
function notInThisBrowser({ lang, params, sendsSms }: PageContext): OtherPage {
  const order = localizeDigits(lang, String(readOrderId(params) || ''))
  return trackFormPage(lang, { intro: translate(lang)('track.other-browser', { sms: sendsSms }), order })
}

/** An order with the props its pages share; null when this visitor may not see it. */
async function findOrderPage(context: PageContext) {
  const { db, shopCache, gateways, lang, params, query, user } = context
  const id = readOrderId(params)
  const key = query.key ?? null
  const settings = await shopCache.settings()
  const visitor = orderVisitor(context, key, { permission: 'orders.read', settings })
  const order = await findOrderForVisitor(db, id, visitor, lang)
  if (!order) return null
  // Staff may have a link of the customer too.
  const isCustomer = !visitor.isPermittedStaff || (await findOrderForVisitor(db, id, orderVisitor(context, key), lang)) !== null
  const mayPay = isCustomer || staffMay(user, 'orders.write', settings)
  const payTo = offeredMethods(settings.payment_numbers).length > 0 ? settings.payment_numbers : null
  const choices = mayPay
    ? await findPaymentChoices(db, order, { gateways, visitor, codCodeFrom: codCodeFrom(settings, context.sendsSms) })
    : null
  return {
    order,
    isCustomer,
    mayPay,
    viewKey: key,
    payTo,
    advanceHours: settings.expiry.advanceHours,
    weighingDays: order.has_cattle ? await findFinalWeighingDays(db, id) : null,
    choices: choices && (payTo ? choices : { ...choices, advance: null }),
  }
}

/** Days between the final weighing and delivery, by category id. */
async function weighingDays(shopCache: ShopCache): Promise<Record<number, number>> {
  const categories = await shopCache.categories()
  return Object.fromEntries(categories.flatMap((one) => (one.final_weighing_days === null ? [] : [[one.id, one.final_weighing_days]])))
}
