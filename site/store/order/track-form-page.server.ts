import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { OtherPage } from '#site/page-route.server.ts'

interface Shown {
  intro: string
  /** The number in the form, in the digits of the language. */
  order?: string
  problem?: string
}

/** The form that finds an order by number and phone, with status 404, in place of an order that cannot be shown. */
export function trackFormPage(lang: Lang, { intro, order = '', problem }: Shown): OtherPage {
  const props = { intro, values: { order, phone: '' }, errors: {}, problem: problem ?? null }
  return { page: 'store/order/track-form', status: 404, props, head: { title: translate(lang)('track.title'), canonical: null } }
}
