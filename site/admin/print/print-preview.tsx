import '../admin.css'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import type { Lang } from '#lib/i18n/lang.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { LeftIcon } from '../ui/icons.tsx'

export interface PrintPreviewProps {
  children: ReactNode
  note?: string
  /** Where work goes on after printing; Enter is enough. */
  back?: { href: string; label: string } | null
  /** The page that this print view belongs to, where printing is the main action. */
  parent?: { href: string; label: string } | null
  printsImmediately: boolean
  /** Prints; `isFirst`: by itself, when the page opens. */
  print?: (isFirst: boolean) => void
}

const printByBrowser = () => window.print()

/** The toolbar of a print view, not printed: print, language, missing orders. */
export function PrintPreview({ children, note, back, parent, printsImmediately, print = printByBrowser }: PrintPreviewProps) {
  const { t, lang } = useI18n()
  const { path } = usePageContext()
  usePrintImmediately(printsImmediately, print)
  return (
    <div className="min-h-dvh bg-paper print:bg-white">
      <header className="sticky top-0 z-10 flex flex-wrap items-center gap-3 border-b border-line bg-white px-4 py-3 print:hidden">
        {parent ? (
          <ButtonLink kind="quiet" href={parent.href}>
            <LeftIcon size={16} />
            {parent.label}
          </ButtonLink>
        ) : null}
        {back ? (
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- after a sale the cashier goes on by keyboard
          <ButtonLink href={back.href} autoFocus>
            {back.label}
          </ButtonLink>
        ) : null}
        <Button kind={back ? 'secondary' : 'primary'} onClick={() => print(false)}>
          {t('print.print')}
        </Button>
        <ButtonLink kind="secondary" href={inLanguage(path, lang === 'bn' ? 'en' : 'bn')} lang={lang === 'bn' ? 'en' : 'bn'}>
          {t('print.other-language')}
        </ButtonLink>
        {note ? (
          <p role="status" className="text-stone">
            {note}
          </p>
        ) : null}
      </header>
      <main>{children}</main>
    </div>
  )
}

/** Opens the print dialog once the page and its fonts are there. */
function usePrintImmediately(isEnabled: boolean, print: (isFirst: boolean) => void): void {
  const latest = useRef(print)
  useEffect(() => void (latest.current = print))
  useEffect(() => {
    if (!isEnabled) return
    let gone = false
    void document.fonts.ready.then(() => {
      if (!gone) latest.current(true)
    })
    return () => {
      gone = true
    }
  }, [isEnabled])
}

/** The same print view in the other language, without printing again. */
function inLanguage(path: string, lang: Lang): string {
  const url = new URL(path, 'http://shop.invalid')
  url.searchParams.set('lang', lang)
  url.searchParams.delete('print')
  return url.pathname + url.search
}
