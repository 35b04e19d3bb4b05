import type { ReactNode } from 'react'
import { PAGE_SIZES } from '#lib/db/keyset.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { FIRST_PAGE, withQuery } from './url-query.ts'
import { LeftIcon, RightIcon } from './icons.tsx'

interface PagingProps {
  /** Cursors of the previous and next page from `keysetPage`; null without one. */
  prev: Record<string, string> | null
  next: Record<string, string> | null
  /** Offers a link to the last page; on by default. */
  hasEnd?: boolean
  /** How many there are, or other words at the left. */
  note?: ReactNode
  /** The rows of a page, where the reader may choose them. */
  size?: number
}

/** First, previous, next, last of a list that is paged by key, and the rows of a page. */
export function Paging({ prev, next, hasEnd = true, note, size }: PagingProps) {
  const { path } = usePageContext()
  const hasPages = prev !== null || next !== null
  // A list of one page offers other sizes only where one was chosen.
  const hasSizes = size !== undefined && (hasPages || path.includes('rows='))
  if (!hasPages && !hasSizes && !note) return null
  return (
    <div className="tabular-nums mt-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      {note ? <p className="text-stone">{note}</p> : null}
      {hasPages ? <Steps prev={prev} next={next} hasEnd={hasEnd} /> : null}
      {hasSizes ? <PageSizes size={size} /> : null}
    </div>
  )
}

function Steps({ prev, next, hasEnd }: Pick<PagingProps, 'prev' | 'next' | 'hasEnd'>) {
  const { t } = useI18n()
  const { path } = usePageContext()
  const to = (place: Record<string, string>) => withQuery(path, { ...FIRST_PAGE, ...place })
  return (
    <nav aria-label={t('admin.page.label')} className="flex flex-wrap items-center gap-1">
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

/** Links, so that they work before the page is hydrated; the URL has the choice. */
function PageSizes({ size }: { size: number }) {
  const { t, lang } = useI18n()
  const { path } = usePageContext()
  return (
    <nav aria-label={t('admin.page.size')} className="tabular-nums flex items-center gap-1 text-stone">
      <span className="me-1" aria-hidden="true">
        {t('admin.page.size')}
      </span>
      {PAGE_SIZES.map((one) => (
        <a
          key={one}
          href={withQuery(path, { ...FIRST_PAGE, rows: String(one) })}
          aria-current={one === size ? 'true' : undefined}
          className="inline-flex min-h-10 min-w-10 items-center justify-center rounded-card px-2 font-semibold hover:bg-leaf-100 pointer-coarse:min-h-11 pointer-coarse:min-w-11 aria-[current]:bg-leaf-100 aria-[current]:text-leaf-800"
        >
          {formatNumber(one, lang)}
        </a>
      ))}
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
