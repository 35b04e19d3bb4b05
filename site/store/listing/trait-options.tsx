import { changedListing, DEFAULT_LISTING } from '#features/catalog/listing-query-rules.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import type { ListingView } from './listing.tsx'

/** The traits of a list's animals with their numbers. Pressing a chosen one removes it. */
export function TraitOptions({ list }: { list: ListingView }) {
  const { lang } = useI18n()
  const { listing, query } = list
  return (
    <div className="grid gap-x-6 gap-y-3 px-4 pt-1 pb-4 lg:grid-cols-2">
      {listing.filters.map(({ name, label, options }) => (
        <section key={name} aria-label={label}>
          <p aria-hidden="true" className="mb-1.5 text-sm font-semibold text-stone">
            {label}
          </p>
          <ul className="tabular-nums flex flex-wrap gap-2">
            {options.map((option) => {
              const isChosen = option.value === String(query[name])
              const value = name === 'teeth' ? Number(option.value) : option.value
              const next = changedListing(query, { [name]: isChosen ? DEFAULT_LISTING[name] : value })
              return (
                <li key={option.value}>
                  <a
                    href={list.address(next)}
                    rel="nofollow"
                    onClick={(event) => list.go(next, event)}
                    aria-current={isChosen ? 'true' : undefined}
                    className="inline-flex min-h-11 items-center gap-1.5 rounded-tag bg-white px-3 font-semibold ring-1 ring-inset ring-stone/40 wrap-anywhere hover:bg-tag-100 aria-[current]:bg-tag aria-[current]:ring-ink/30"
                  >
                    {option.label} <span className="font-normal">({formatNumber(option.count, lang)})</span>
                  </a>
                </li>
              )
            })}
          </ul>
        </section>
      ))}
    </div>
  )
}
