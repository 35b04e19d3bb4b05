import { createContext, type ReactNode, useContext } from 'react'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'

/** What every page knows about its surroundings; the same on server and browser. */
export interface PageContextValue {
  lang: Lang
  /** Path and query of the page, as asked for. */
  path: string
  user: { id: number; name: string; role: string } | null
  shop: { name: string; motto: string; phone: string; whatsapp: string; email: string; address: string; hours: string }
  /** For forms that are sent without script; scripts read the page's meta element. */
  csrfToken: string
  /** The owner's line over every page; empty = none. */
  announcement: string
  /** True while the demo shop runs: pages say so. */
  demo: boolean
}

const PageReactContext = createContext<PageContextValue | null>(null)

/** Puts a page into its surroundings. */
export function AppRoot({ shell, children }: { shell: PageContextValue; children: ReactNode }) {
  return <PageReactContext value={shell}>{children}</PageReactContext>
}

/** The surroundings of the page. */
export function usePageContext(): PageContextValue {
  const shell = useContext(PageReactContext)
  if (!shell) throw new Error('usePageContext outside a page')
  return shell
}

/** `t` in the page's language, and the language. */
export function useI18n() {
  const { lang } = usePageContext()
  return { lang, t: translate(lang) }
}
