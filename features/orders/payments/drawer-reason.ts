import { localizeDigits } from '#lib/format/numbers.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'

/** The reason of cash of an order in the reports of the shift. */
export const drawerReason = (path: 'payments' | 'refunds', orderId: number, lang: Lang): string =>
  translate(lang)(`admin-orders.drawer-${path}`, { id: localizeDigits(lang, String(orderId)) })
