import type { MouseEvent } from 'react'
import { ALL_PRICES, changedListing, DEFAULT_LISTING, type ListingQuery } from '#features/catalog/listing-query-rules.ts'
import { activeBand, bandLabel, type WeightBand } from '#features/catalog/rules.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { type FilterChip, FilterChips } from './filter-chips.tsx'
import type { ListingView } from './listing.tsx'

export interface ChipsProps {
  list: ListingView
  bands: readonly WeightBand[]
  onGo: (query: ListingQuery, event: MouseEvent) => void
}

/** What narrows a list: weight or price, status, search text, traits. */
export function ListChips({ list, bands, onGo }: ChipsProps) {
  const { t, lang } = useI18n()
  const { query, listing } = list
  const { minPrice, maxPrice, status, search } = query
  const chip = (label: string, change: Partial<ListingQuery>): FilterChip => {
    const next = changedListing(query, change)
    return { label, href: list.address(next), onClick: (event) => onGo(next, event) }
  }
  const taka = (price: number) => formatTaka(takaToPoisha(price), lang)
  const prices = maxPrice === ALL_PRICES.maxPrice ? `${taka(minPrice)}+` : `${taka(minPrice)}–${taka(maxPrice)}`
  const band = activeBand(bands, query)
  const chips: FilterChip[] = []
  if (minPrice !== ALL_PRICES.minPrice || maxPrice !== ALL_PRICES.maxPrice)
    chips.push(chip(band ? bandLabel(band, lang) : prices, ALL_PRICES))
  if (status) chips.push(chip(t(`catalog.status.${status}`), { status: null }))
  if (search) chips.push(chip(search, { search: '' }))
  for (const { name, options } of listing.filters) {
    const chosen = options.find(({ value }) => value === String(query[name]))
    if (chosen) chips.push(chip(chosen.label, { [name]: DEFAULT_LISTING[name] }))
  }
  const clearAll = chips.length > 1 ? chip(t('catalog.clear-all'), { ...DEFAULT_LISTING, sort: query.sort }) : null
  return <FilterChips chips={chips} clearAll={clearAll} />
}
