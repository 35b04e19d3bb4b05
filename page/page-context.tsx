import { createContext, type ReactNode, useContext } from 'react'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'

/** What every page knows about its surroundings; the same on server and browser. */
export interface Shell {
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

const ShellContext = createContext<Shell | null>(null)

/** Puts a page into its surroundings. */
export function AppRoot({ shell, children }: { shell: Shell; children: ReactNode }) {
  return <ShellContext value={shell}>{children}</ShellContext>
}

/** The surroundings of the page. */
export function useShell(): Shell {
  const shell = useContext(ShellContext)
  if (!shell) throw new Error('useShell outside a page')
  return shell
}

/** `t` in the page's language, and the language. */
export function useI18n() {
  const { lang } = useShell()
  return { lang, t: translate(lang) }
}
