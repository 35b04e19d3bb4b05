import { findStopLink } from '#features/campaigns/stop-link.server.ts'
import { maskPhone } from '#lib/format/phone.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { PageRoute } from '#site/page-route.server.ts'

/** The page behind the link of a campaign's SMS. */
export const stopPages: PageRoute[] = [
  {
    url: '/stop/:token',
    page: 'store/stop/stop',
    async load({ db, lang, params }) {
      const token = params.token ?? ''
      const link = await findStopLink(db, token)
      if (link === null) return { refuse: 404 }
      const props = { token, phone: maskPhone(link.phone), isStopped: link.isStopped }
      return { props, head: { title: translate(lang)('stop.title'), canonical: null } }
    },
  },
]
