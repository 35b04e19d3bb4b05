import type { MouseEvent } from 'react'
import { CloseIcon } from '#components/icons.tsx'
import { useI18n } from '#page/page-context.tsx'

export interface FilterChip {
  label: string
  /** The same list without this filter. */
  href: string
  onClick?: (event: MouseEvent) => void
}

/** The filters of a list. Each is a link that removes it; `clearAll` removes them all. */
export function FilterChips({ chips, clearAll }: { chips: readonly FilterChip[]; clearAll?: FilterChip | null }) {
  const { t } = useI18n()
  if (chips.length === 0) return null
  return (
    <ul aria-label={t('catalog.filters')} className="tabular-nums mt-3 flex flex-wrap gap-2">
      {chips.map(({ label, href, onClick }) => (
        <li key={href}>
          <a
            href={href}
            onClick={onClick}
            aria-label={t('catalog.clear-filter', { filter: label })}
            className="inline-flex min-h-11 items-center gap-2 rounded-tag bg-tag-100 px-3.5 font-semibold ring-1 ring-inset ring-ink/30 hover:bg-tag"
          >
            {label}
            <CloseIcon size={16} className="shrink-0" />
          </a>
        </li>
      ))}
      {clearAll ? (
        <li>
          <a
            href={clearAll.href}
            onClick={clearAll.onClick}
            className="inline-flex min-h-11 items-center px-1 font-semibold text-leaf-600 underline underline-offset-4"
          >
            {clearAll.label}
          </a>
        </li>
      ) : null}
    </ul>
  )
}
