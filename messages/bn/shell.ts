import type { TranslationOf } from '#lib/i18n.ts'
import type { shell as original } from '../en/shell.ts'

export const shell: TranslationOf<typeof original> = {
}
