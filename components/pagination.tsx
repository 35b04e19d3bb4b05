import type { MouseEvent, ReactNode } from 'react'
import { LeftIcon, RightIcon } from './icons.tsx'

interface PaginationProps {
  current: number
  last: number
  /** Page numbers to link to. */
  pages: number[]
  href: (page: number) => string
  onGo?: (page: number, event: MouseEvent<HTMLAnchorElement>) => void
  words: { label: string; prev: string; next: string; page: (page: number) => string; number: (page: number) => string }
}

const CELL = 'grid min-h-11 min-w-11 place-items-center rounded-card px-2 font-semibold'

/** Links to the pages of a list. */
export function Pagination({ current, last, pages, href, onGo, words }: PaginationProps) {
  if (last <= 1) return null
  const link = (page: number) => ({ href: href(page), onClick: onGo && ((event: MouseEvent<HTMLAnchorElement>) => onGo(page, event)) })
  return (
    <nav aria-label={words.label} className="tabular-nums mt-8 flex flex-wrap items-center justify-center gap-1">
      <Step to={current > 1 ? link(current - 1) : null} rel="prev">
        <LeftIcon size={18} />
        {words.prev}
      </Step>
      {pages.map((page) => (
        <a
          key={page}
          {...link(page)}
          aria-label={words.page(page)}
          aria-current={page === current ? 'page' : undefined}
          className={`${CELL} hover:bg-leaf-100 aria-[current]:bg-leaf-600 aria-[current]:text-white`}
        >
          {words.number(page)}
        </a>
      ))}
      <Step to={current < last ? link(current + 1) : null} rel="next">
        {words.next}
        <RightIcon size={18} />
      </Step>
    </nav>
  )
}

function Step({
  to,
  rel,
  children,
}: {
  to: { href: string; onClick?: (event: MouseEvent<HTMLAnchorElement>) => void } | null
  rel: string
  children: ReactNode
}) {
  const look = `${CELL} inline-flex items-center gap-1 px-3`
  if (!to)
    return (
      <span aria-disabled="true" className={`${look} text-stone/60`}>
        {children}
      </span>
    )
  return (
    <a {...to} rel={rel} className={`${look} hover:bg-leaf-100`}>
      {children}
    </a>
  )
}
