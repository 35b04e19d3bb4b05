import { findAnimalCard } from '#features/catalog/animal-card.server.ts'
import { isWithdrawn } from '#features/catalog/page-queries.server.ts'
import { listParticulars } from '#features/catalog/products/particulars.server.ts'
import { findTrackedOrder } from '#features/orders/history/tracking.server.ts'
import { readId } from '#lib/format/id.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { PageRoute } from '#site/page-route.server.ts'
import { trackFormPage } from './track-form-page.server.ts'

/** Pages behind QR codes: order tracking and animal cards. They are public and show no personal data. */
export const publicCardPages: PageRoute[] = [
  {
    url: '/track',
    page: 'store/order/track-form',
    async load({ lang, sendsSms }) {
      const t = translate(lang)
      const props = { intro: t('track.intro', { sms: sendsSms }), values: { order: '', phone: '' }, errors: {}, problem: null }
      return { props, head: { title: t('track.title'), canonical: '/track' } }
    },
  },
  {
    url: '/track/:code',
    page: 'store/order/track',
    async load({ db, lang, params, sendsSms }) {
      if (!params.code) return { redirect: '/track' }
      const order = await findTrackedOrder(db, params.code, lang)
      const t = translate(lang)
      // A mistyped or cut off link.
      if (!order) return trackFormPage(lang, { intro: t('track.intro', { sms: sendsSms }), problem: t('track.link-unknown') })
      return { props: { orders: [order] }, head: { title: t('tracking.title'), canonical: null } }
    },
  },
  {
    url: '/animal/:id',
    page: 'store/product/animal',
    async load({ db, lang, params }) {
      const id = readId(params.id)
      const card = id === null ? null : await findAnimalCard(db, id, lang)
      if (!card || id === null) return { refuse: 404 }
      // The card of an animal that is not for sale yet must not carry its price or the shop's note.
      const { product_type, tag_number, picture, weight_kg, weigh_ins } = card.animal
      const animal = { id, product_type, tag_number, picture, weight_kg, weigh_ins }
      const particulars = listParticulars(card.animal, lang)
      const props = { animal, health: card.health, particulars, isShown: !(await isWithdrawn(db, id)) }
      return { props, head: { title: translate(lang)('animal.title', { tag: tag_number ?? '' }), canonical: null } }
    },
  },
]
