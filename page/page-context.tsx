import { createContext, type ReactNode, useContext } from 'react'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'

/** Values that every page has; the same on server and browser. */
export interface PageContextValue {
  lang: Lang
  /** Path and query of the request. */
  path: string
  user: { id: number; name: string; role: string } | null
  shop: {
    name: string
    motto: string
    phone: string
    whatsapp: string
    email: string
    address: string
    hours: string
    /** The number of the trade licence; empty for none. */
    licence: string
    /** The shop's own logo; null: the ear tag. `ratio`: width over height. `isWide`: it takes the place of the name. */
    logo: { src: string; ratio: number; isWide: boolean } | null
  }
  /** Categories of the owner with products, which have no section of their own. */
  categories: { href: string; label: string }[]
  /** The payment methods whose marks pages show. */
  payments: readonly string[]
  /** For forms that are sent without script. Scripts read the meta element of the page. */
  csrfToken: string
  /** The announcement above every page; empty for none. */
  announcement: string
  /** The shop is not open yet; set for staff only. */
  isClosed: boolean
  /** Whether the shop sends SMS. No page promises one else. */
  sendsSms: boolean
  /** The demo shop runs: pages show a notice. */
  demo: boolean
}

const PageReactContext = createContext<PageContextValue | null>(null)

/** Provides the page context. */
export function AppRoot({ shell, children }: { shell: PageContextValue; children: ReactNode }) {
  return <PageReactContext value={shell}>{children}</PageReactContext>
}

/** The context of the page. Throws outside `AppRoot`. */
export function usePageContext(): PageContextValue {
  const shell = useContext(PageReactContext)
  if (!shell) throw new Error('usePageContext outside a page')
  return shell
}

/** The language of the page and its `t`. */
export function useI18n() {
  const { lang } = usePageContext()
  return { lang, t: translate(lang) }
}
