import type { TranslationOf } from '#lib/i18n.ts'
import type { catalog as original } from '../en/catalog.ts'

export const catalog: TranslationOf<typeof original> = {
}
