import type { TranslationOf } from '#lib/i18n.ts'
import type { cart as original } from '../en/cart.ts'

export const cart: TranslationOf<typeof original> = {
}
