import type { TranslationOf } from '#lib/i18n.ts'
import type { checkout as original } from '../en/checkout.ts'

export const checkout: TranslationOf<typeof original> = {
}
