import { findPopup, listProducts, listSlots } from '#features/catalog/queries.server.ts'
import type { PageRoute } from '../page-route.server.ts'

/** The shop window: home, lists, search, one product, the papers. */
export const catalogPages: PageRoute[] = [
  {
    url: '/',
    page: 'store/home',
    keep: true,
    async load({ db, lang, now, popupShown }) {
      const [popup, slots, listing] = await Promise.all([
        findPopup(db, now, popupShown, lang),
        listSlots(db, lang),
        listProducts(db, { categoryId: null, minPrice: 0, maxPrice: 100_000_000, sort: null, page: 1 }, lang),
      ])
      return { props: { popup, slots, listing }, head: { title: 'Khamar', canonical: '/' } }
    },
  },
]
