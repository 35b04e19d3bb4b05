import type { TranslationOf } from '#lib/i18n.ts'
import type { pages as original } from '../en/pages.ts'

export const pages: TranslationOf<typeof original> = {
}
