import { useI18n, usePageContext } from '#page/page-context.tsx'
import { FIRST_PAGE, withQuery } from './address.ts'
import { CloseIcon } from './icons.tsx'

interface ChipsProps {
  label: string
  /** The name in the address, and the text; null while the filter is not set. */
  chips: [name: string, text: string | null][]
}

/** Active filters, each as a link that removes it. */
export function Chips({ label, chips }: ChipsProps) {
  const { t } = useI18n()
  const { path } = usePageContext()
  const shown = chips.filter(([, text]) => text !== null)
  if (shown.length === 0) return null
  return (
    <ul aria-label={label} className="mb-3 flex flex-wrap gap-2">
      {shown.map(([name, text]) => (
        <li key={name}>
          <a
            href={withQuery(path, { ...FIRST_PAGE, [name]: null })}
            className="chip chip-indigo min-h-9 px-3 whitespace-normal pointer-coarse:min-h-11"
          >
            {text}
            <CloseIcon size={13} aria-hidden={false} role="img" aria-label={t('admin.filters.reset')} />
          </a>
        </li>
      ))}
    </ul>
  )
}
