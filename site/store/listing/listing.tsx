import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { AlertIcon } from '#components/icons.tsx'
import { Pagination } from '#components/pagination.tsx'
import { ALL_PRICES, changedListing, DEFAULT_LISTING, type ListingQuery } from '#features/catalog/listing-query-rules.ts'
import { MAX_PRICE_TAKA } from '#features/catalog/limits.ts'
import { activeBand, bandLabel, paginationWindow, type WeightBand } from '#features/catalog/rules.ts'
import type { ListingJson, ProductJson } from '#features/catalog/types.ts'
import type { CardKind } from '#features/catalog/ui/product-card.tsx'
import { GridSkeleton, ProductGrid } from './product-grid.tsx'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { HiddenValues } from './hidden-values.tsx'
import { ListFilters } from './list-filters.tsx'
import type { useListing } from './use-listing.ts'

export type ListingView = ReturnType<typeof useListing>

interface ListingProps {
  list: ListingView
  /** The list's products as the last refresh knows them. */
  products: ProductJson[]
  bands: readonly WeightBand[]
  /** The heading of the weights, where the list has more than animals. */
  bandsTitle?: string
  kind?: CardKind
  firstCount?: number
  heading: string
  /** More ways to filter: below the weights, and beside the order. */
  filters?: ReactNode
  choices?: ReactNode
}

/** A list with its weights, order, count, pages; every control is a link or a form that works without script. */
export function Listing({ list, products, bands, bandsTitle, kind, firstCount, heading, filters, choices }: ListingProps) {
  const top = useRef<HTMLDivElement>(null)
  const { listing, query, state } = list
  // The pressed link may be gone from the next list.
  const goAndFocus = (next: ListingQuery, event: MouseEvent) => {
    list.go(next, event)
    if (event.defaultPrevented) top.current?.focus({ preventScroll: true })
  }
  const toPage = (page: number, event: MouseEvent) => {
    goAndFocus({ ...query, page }, event)
    if (event.defaultPrevented) top.current?.scrollIntoView({ block: 'start' })
  }
  return (
    <section aria-label={heading} ref={top} tabIndex={-1} className="scroll-mt-4 outline-none lg:scroll-mt-24">
      {bands.length > 0 ? <Bands list={list} bands={bands} title={bandsTitle} /> : null}
      {filters}
      <ListFilters list={list} bands={bands} onGo={goAndFocus} />
      <div className="mt-4 mb-3 flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="tabular-nums text-stone" aria-live="polite">
          {state === 'ready' ? <Count listing={listing} /> : null}
        </p>
        <SortForm list={list} choices={choices} />
      </div>
      {state === 'loading' ? <GridSkeleton /> : null}
      {state === 'failed' ? <Failed onAgain={list.again} /> : null}
      {state === 'ready' && products.length === 0 ? <Nothing list={list} /> : null}
      {state === 'ready' && products.length > 0 ? (
        <ProductGrid products={products} kind={kind} firstCount={firstCount} label={heading} />
      ) : null}
      {state === 'ready' ? <ListPagination list={list} onGo={toPage} /> : null}
    </section>
  )
}

function Count({ listing }: { listing: ListingJson }) {
  const { t } = useI18n()
  const { from, to, total } = listing.pagination
  return total === 0 ? null : t('catalog.count', { from, to, total })
}

function Bands({ list, bands, title }: { list: ListingView; bands: readonly WeightBand[]; title: string | undefined }) {
  const { t, lang } = useI18n()
  const heading = title ?? t('catalog.bands')
  const { query } = list
  const active = activeBand(bands, query)
  const isNarrowed = query.minPrice !== ALL_PRICES.minPrice || query.maxPrice !== ALL_PRICES.maxPrice
  const chip =
    'inline-flex min-h-11 items-center rounded-tag px-3.5 font-semibold whitespace-nowrap ring-1 ring-inset ring-stone/40 bg-milk hover:bg-tag-100 aria-[current]:bg-tag aria-[current]:ring-ink/30'
  const to = (change: Partial<ListingQuery>) => {
    const next = changedListing(query, change)
    return { href: list.address(next), onClick: (event: MouseEvent) => list.go(next, event) }
  }
  const row = useRef<HTMLUListElement>(null)
  // The chosen weight is in sight on a narrow screen; only the row moves, never the page.
  useEffect(() => {
    const chosen = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (row.current && chosen) row.current.scrollLeft = chosen.offsetLeft - (row.current.clientWidth - chosen.offsetWidth) / 2
  }, [active])
  return (
    <nav aria-label={heading}>
      <p className="mb-2 font-semibold">{heading}</p>
      <ul
        ref={row}
        className="tabular-nums relative -mx-4 flex gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0"
      >
        <li>
          <a {...to(ALL_PRICES)} aria-current={isNarrowed ? undefined : 'true'} className={chip}>
            {t('catalog.bands-all')}
          </a>
        </li>
        {bands.map((band) => {
          const isActive = band === active
          // Pressing the chosen weight lets go of it.
          const range = isActive ? ALL_PRICES : { minPrice: band.minPrice, maxPrice: band.maxPrice ?? MAX_PRICE_TAKA }
          return (
            <li key={band.minPrice}>
              <a {...to(range)} aria-current={isActive ? 'true' : undefined} className={chip}>
                {bandLabel(band, lang)}
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

function SortForm({ list, choices }: { list: ListingView; choices: ReactNode }) {
  const { t } = useI18n()
  const { query } = list
  return (
    <form
      method="get"
      className={`flex flex-wrap items-end gap-x-3 gap-y-2 max-sm:w-full ${choices ? 'choices-above' : ''}`}
      onSubmit={(event) => event.preventDefault()}
    >
      <HiddenValues query={query} fields={choices ? ['sort', 'status'] : ['sort']} />
      {choices}
      <div className="choice">
        <label htmlFor="sort" className="font-semibold">
          {t('catalog.sort')}
        </label>
        <select
          id="sort"
          name="sort"
          value={query.sort ?? ''}
          onChange={(event) => list.go(changedListing(query, { sort: (event.target.value || null) as ListingQuery['sort'] }))}
          className="min-h-11 min-w-0 rounded-card border border-stone/80 bg-white ps-3 pe-8"
        >
          <option value="">{t('catalog.sort.none')}</option>
          <option value="asc">{t('catalog.sort.asc')}</option>
          <option value="desc">{t('catalog.sort.desc')}</option>
        </select>
      </div>
      <Button type="submit" kind="secondary" className="without-script">
        {t('catalog.sort-apply')}
      </Button>
    </form>
  )
}

function Failed({ onAgain }: { onAgain: () => void }) {
  const { t } = useI18n()
  return (
    <div role="alert" className="stitch grid min-h-64 place-items-center rounded-card bg-milk p-6 text-center text-terracotta">
      <div>
        <AlertIcon size={34} className="mx-auto" />
        <p className="mt-2 text-ink">{t('catalog.failed')}</p>
        <Button className="mt-4" onClick={onAgain}>
          {t('catalog.again')}
        </Button>
      </div>
    </div>
  )
}

/** Without a filter the list itself has no products: its own URL would lead nowhere. */
function Nothing({ list }: { list: ListingView }) {
  const { t } = useI18n()
  const all = list.address(DEFAULT_LISTING)
  const isWhole = list.address({ ...list.query, sort: DEFAULT_LISTING.sort }) === all
  return (
    <div className="stitch grid min-h-64 place-items-center rounded-card bg-milk p-6 text-center text-leaf-600/60">
      <div className="text-ink">
        <p className="text-xl font-semibold">{t('catalog.none')}</p>
        {isWhole ? null : <p className="mx-auto mt-1 max-w-[42ch] text-stone">{t('catalog.none-text')}</p>}
        {isWhole && all === '/' ? null : (
          <ButtonLink
            className="mt-4"
            kind="secondary"
            href={isWhole ? '/' : all}
            onClick={(event) => isWhole || list.go({ ...DEFAULT_LISTING }, event)}
          >
            {t('catalog.none-all')}
          </ButtonLink>
        )}
      </div>
    </div>
  )
}

function ListPagination({ list, onGo }: { list: ListingView; onGo: (page: number, event: MouseEvent) => void }) {
  const { t, lang } = useI18n()
  const { currentPage, lastPage } = list.listing.pagination
  return (
    <Pagination
      current={currentPage}
      last={lastPage}
      pages={paginationWindow(currentPage, lastPage)}
      href={(page) => list.address({ ...list.query, page })}
      onGo={onGo}
      words={{
        label: t('catalog.pages'),
        prev: t('catalog.prev'),
        next: t('catalog.next'),
        page: (page) => t('catalog.page', { page }),
        number: (page) => localizeDigits(lang, String(page)),
      }}
    />
  )
}
