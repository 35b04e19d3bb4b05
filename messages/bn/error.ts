import type { TranslationOf } from '#lib/i18n.ts'
import type { error as original } from '../en/error.ts'

export const error: TranslationOf<typeof original> = {
}
