import type { TranslationOf } from '#lib/i18n.ts'
import type { order as original } from '../en/order.ts'

export const order: TranslationOf<typeof original> = {
}
