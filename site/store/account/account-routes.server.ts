import { givenName } from '#features/auth/placeholder-names.server.ts'
import { listAreas } from '#features/catalog/areas/queries.server.ts'
import { listAddresses } from '#features/customers/address-queries.server.ts'
import { listOwnOrders } from '#features/orders/history/own-orders.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { PageRoute } from '#site/page-route.server.ts'
import { signedIn } from './auth-routes.server.ts'

/** Account pages: orders, profile, addresses. */
export const accountPages: PageRoute[] = [
  {
    url: '/account',
    page: 'store/account/orders',
    personal: true,
    load: (context) =>
      signedIn(context, async (user) => {
        const { db, lang, browser, query } = context
        const page = /^[1-9]\d{0,5}$/.test(query.page ?? '') ? Number(query.page) : 1
        const orders = await listOwnOrders(db, { user, browser }, page, lang)
        return { props: { ...orders, isPhoneVerified: user.isPhoneVerified }, head: head(lang, 'account.orders') }
      }),
  },
  {
    url: '/account/addresses',
    page: 'store/account/addresses',
    personal: true,
    load: (context) =>
      signedIn(context, async ({ id, name, phone }) => {
        const { db, lang } = context
        const [addresses, areas] = await Promise.all([listAddresses(db, id), listAreas(db, true, lang)])
        return {
          props: { account: { id, name: givenName(name), phone }, addresses, areas: areas.map(({ id, area_name }) => ({ id, area_name })) },
          head: head(lang, 'account.addresses'),
        }
      }),
  },
  {
    url: '/account/profile',
    page: 'store/account/profile',
    personal: true,
    load: (context) =>
      signedIn(context, async ({ name, phone, isPhoneVerified, email }) => ({
        props: { name: givenName(name), phone, isPhoneVerified, email },
        head: head(context.lang, 'account.profile'),
      })),
  },
]

function head(lang: Lang, key: 'account.orders' | 'account.addresses' | 'account.profile') {
  const t = translate(lang)
  return { title: `${t(key)} · ${t('account.title')}`, canonical: null }
}
