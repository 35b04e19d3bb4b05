import { useEffect, useRef, useState } from 'react'
import { DownIcon } from '#components/icons.tsx'
import { ServerOnly } from '#components/server-only.tsx'
import { useI18n } from '#page/page-context.tsx'
import { StaticChips, StaticTraitOptions } from './filters.static.tsx'
import type { ChipsProps } from './list-chips.tsx'

/**
 * The traits that narrow a list, and the filters that do. The server renders both as links. The parts that follow the list are loaded when
 * the traits are opened or the list changes.
 */
export function ListFilters(props: ChipsProps) {
  const { t } = useI18n()
  const { query, listing } = props.list
  const fold = useRef<HTMLDetailsElement>(null)
  const first = useRef(query)
  const [parts, setParts] = useState<typeof import('./filter-parts.tsx') | null>(null)
  const load = () => void import('./filter-parts.tsx').then(setParts, () => {})
  useEffect(() => {
    // The traits can be opened before the page reacts.
    if (query !== first.current || fold.current?.open) load()
  }, [query])
  return (
    <>
      {listing.filters.length > 0 ? (
        <details ref={fold} onToggle={load} className="group mt-3 rounded-card border border-line bg-milk">
          <summary className="flex min-h-11 items-center gap-2.5 rounded-card px-4 py-1.5 font-semibold hover:bg-leaf-100">
            <span className="grow">{t('catalog.filters')}</span>
            <DownIcon className="shrink-0 text-stone transition-transform group-open:rotate-180" />
          </summary>
          {parts ? (
            <parts.TraitOptions list={props.list} />
          ) : (
            <ServerOnly id="traits">{import.meta.env.SSR ? <StaticTraitOptions list={props.list} /> : null}</ServerOnly>
          )}
        </details>
      ) : null}
      {parts ? (
        <parts.ListChips {...props} />
      ) : (
        <ServerOnly id="chips">{import.meta.env.SSR ? <StaticChips {...props} /> : null}</ServerOnly>
      )}
    </>
  )
}
