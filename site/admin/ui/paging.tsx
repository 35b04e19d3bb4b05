import type { ReactNode } from 'react'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { FIRST_PAGE, withQuery } from './address.ts'
import { LeftIcon, RightIcon } from './icons.tsx'

interface PagingProps {
  /** Cursors of the previous and next page from `keysetPage`; null without one. */
  prev: Record<string, string> | null
  next: Record<string, string> | null
  /** Offers a link to the last page; on by default. */
  hasEnd?: boolean
  /** How many there are, or other words at the left. */
  note?: ReactNode
}

/** First, previous, next, last of a list that is paged by key. */
export function Paging({ prev, next, hasEnd = true, note }: PagingProps) {
  const { t } = useI18n()
  const { path } = usePageContext()
  if (!prev && !next) return note ? <p className="tabular-nums mt-3 text-sm text-stone">{note}</p> : null
  const to = (place: Record<string, string>) => withQuery(path, { ...FIRST_PAGE, ...place })
  return (
    <nav aria-label={t('admin.page.label')} className="tabular-nums mt-3 flex flex-wrap items-center gap-1 text-sm">
      {note ? <span className="me-3 text-stone">{note}</span> : null}
      <Step href={prev && to({})}>{t('admin.page.first')}</Step>
      <Step href={prev && to(prev)} rel="prev">
        <LeftIcon size={16} />
        {t('admin.page.prev')}
      </Step>
      <Step href={next && to(next)} rel="next">
        {t('admin.page.next')}
        <RightIcon size={16} />
      </Step>
      {hasEnd ? <Step href={next && to({ end: '1' })}>{t('admin.page.last')}</Step> : null}
    </nav>
  )
}

function Step({ href, rel, children }: { href: string | null; rel?: string; children: ReactNode }) {
  const look = 'inline-flex min-h-10 pointer-coarse:min-h-11 items-center gap-1 rounded-card px-3 font-semibold'
  if (href === null)
    return (
      <span aria-disabled="true" className={`${look} text-stone/60`}>
        {children}
      </span>
    )
  return (
    <a href={href} rel={rel} className={`${look} hover:bg-leaf-100`}>
      {children}
    </a>
  )
}
