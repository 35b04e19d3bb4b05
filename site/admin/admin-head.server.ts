import { type MessageKey, textByKey } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Head } from '../page-route.server.ts'

/** The head of an admin page: its title with the shop's name, excluded from search engines. */
export function adminHead(lang: Lang, title: string | { key: MessageKey }): Head {
  const t = textByKey(lang)
  return { title: `${typeof title === 'string' ? title : t(title.key)} · ${t('admin.name')}`, canonical: null }
}
