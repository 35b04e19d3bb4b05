import { DEMO_MESSAGES } from '#features/messaging/demo-api.server.ts'
import { listDemoSms } from '#features/messaging/queries.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { PageRoute } from '#site/page-route.server.ts'

/** Pages of a demo shop only. */
export const demoPages: PageRoute[] = [
  {
    url: '/demo/sms',
    page: 'store/demo/demo-sms',
    async load({ db, lang }) {
      const messages = await listDemoSms(db, DEMO_MESSAGES)
      return { props: { messages }, head: { title: translate(lang)('sms.demo.title'), canonical: null } }
    },
  },
]
