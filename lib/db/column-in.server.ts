import { type RawBuilder, sql } from 'kysely'
import type { Lang } from '#lib/i18n/lang.ts'

/** The column of a text in this language: `l.name_bn` for `l.name`. */
export const columnIn = (lang: Lang, text: string): RawBuilder<string> => sql.ref(`${text}_${lang}`)
