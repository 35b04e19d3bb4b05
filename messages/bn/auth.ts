import type { TranslationOf } from '#lib/i18n.ts'
import type { auth as original } from '../en/auth.ts'

export const auth: TranslationOf<typeof original> = {
}
