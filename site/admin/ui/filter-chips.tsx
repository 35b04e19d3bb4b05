import { useI18n, usePageContext } from '#page/page-context.tsx'
import { FIRST_PAGE, withQuery } from './url-query.ts'
import { CloseIcon } from './icons.tsx'

interface ChipsProps {
  label: string
  /** The query parameter, and the text; null while the filter is not set. */
  chips: [name: string, text: string | null][]
  /** Names whose field in the filter bar shows the same, where the bar is open. */
  inBar?: readonly string[]
}

/** Active filters, each as a link that removes it. */
export function Chips({ label, chips, inBar = [] }: ChipsProps) {
  const { t } = useI18n()
  const { path } = usePageContext()
  const shown = chips.filter(([, text]) => text !== null)
  if (shown.length === 0) return null
  return (
    <ul aria-label={label} className="mb-1 flex flex-wrap gap-x-2">
      {shown.map(([name, text]) => (
        <li key={name} className={`mb-2 ${inBar.includes(name) ? 'sm:hidden' : ''}`}>
          <a
            href={withQuery(path, { ...FIRST_PAGE, [name]: null })}
            className="chip chip-indigo min-h-9 px-3 whitespace-normal pointer-coarse:min-h-11"
          >
            {text}
            <CloseIcon size={13} aria-hidden={false} role="img" aria-label={t('admin.filters.remove-one')} />
          </a>
        </li>
      ))}
    </ul>
  )
}
