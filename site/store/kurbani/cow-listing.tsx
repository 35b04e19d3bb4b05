import { useEffect, useState } from 'react'
import { AlponaHem } from '#components/alpona.tsx'
import { focusIfLost } from '#components/focus-beside.ts'
import { CloseIcon } from '#components/icons.tsx'
import { changedListing, type ListingQuery } from '#features/catalog/listing-query-rules.ts'
import type { CattleNotes } from '#features/catalog/cattle-notes.ts'
import type { ProductStatus } from '#features/catalog/types.ts'
import { CattleNoteFold, CattleNoteList } from '#features/catalog/ui/cattle-notes.tsx'
import { useStatusRefresh } from '#features/catalog/ui/use-status-refresh.ts'
import { useI18n } from '#page/page-context.tsx'
import { readSession, writeSession } from '#page/session-notes.ts'
import { Listing, type ListingView } from '../listing/listing.tsx'
import { useListing } from '../listing/use-listing.ts'
import type { KurbaniProps } from './kurbani-page.tsx'
import { PriceFilter } from './price-filter.tsx'

const SOURCE = { path: '/kurbani', api: '/api/kurbani-cows', category: null } as const

/** The cows of this season by weight, price and status. */
export function CowListing({ listing, query, bands, notes, prices, checking }: KurbaniProps & { checking: boolean }) {
  const { t } = useI18n()
  const list = useListing(SOURCE, { listing, query })
  const { products, news } = useStatusRefresh(list.listing.products)
  return (
    <>
      <h1 className="text-3xl">{t('kurbani.title')}</h1>
      <div className="mt-1 flex min-h-6 items-center gap-4">
        <AlponaHem className="text-leaf-600" />
        <p role="status" className="text-sm text-stone">
          {checking ? t('kurbani.checking') : ''}
        </p>
      </div>
      <p className="mt-1 mb-3 max-w-[60ch]">{t('kurbani.lead')}</p>
      {notes ? <Notice notes={notes} /> : null}
      <h2 className="sr-only">{t('catalog.products')}</h2>
      <div className="mt-5">
        <Listing
          list={list}
          products={products}
          bands={bands}
          kind="kurbani"
          firstCount={2}
          heading={t('kurbani.title')}
          filters={
            <div className="mt-3 lg:max-w-xl">
              <PriceFilter prices={prices} query={list.query} onChange={list.go} />
            </div>
          }
          choices={<StatusChoice list={list} />}
        />
      </div>
      <p className="sr-only" role="status">
        {news}
      </p>
    </>
  )
}

const STATUSES: readonly ProductStatus[] = ['in-stock', 'hold', 'sold']

function StatusChoice({ list }: { list: ListingView }) {
  const { t } = useI18n()
  const { status: current } = list.query
  // An address can name a status that is not offered.
  const statuses = current === null || STATUSES.includes(current) ? STATUSES : [...STATUSES, current]
  const choose = (chosen: string) =>
    list.go(changedListing(list.query, { status: chosen === 'all' ? null : (chosen as ListingQuery['status']) }))
  return (
    <div className="choice">
      <label htmlFor="status" className="font-semibold">
        {t('kurbani.status')}
      </label>
      <select
        id="status"
        name="status"
        value={current ?? 'all'}
        onChange={(event) => choose(event.target.value)}
        className="min-h-11 min-w-0 rounded-card border border-stone/80 bg-white ps-3 pe-8"
      >
        <option value="all">{t('kurbani.status-all')}</option>
        {statuses.map((status) => (
          <option key={status} value={status}>
            {t(`catalog.status.${status}`)}
          </option>
        ))}
      </select>
    </div>
  )
}

const CLOSED = 'kurbaniNoticeClosed'

/** What decides the price; it stays closed once closed. */
function Notice({ notes }: { notes: CattleNotes }) {
  const { t } = useI18n()
  const [closed, setClosed] = useState(false)
  useEffect(() => setClosed(readSession(CLOSED) === true), [])
  if (closed)
    return (
      <div id="kurbani-notes">
        <CattleNoteFold notes={notes} title={t('catalog.notes-kurbani')} />
      </div>
    )
  const close = () => {
    setClosed(true)
    writeSession(CLOSED, true)
    focusIfLost('#kurbani-notes summary')
  }
  return (
    <section aria-labelledby="notice-title" className="stitch relative rounded-card bg-milk px-4 pt-2.5 pb-3.5 text-leaf-800">
      <h2 id="notice-title" className="pe-10 text-lg">
        {t('kurbani.notice')}
      </h2>
      <button
        type="button"
        aria-label={t('kurbani.notice-close')}
        onClick={close}
        className="needs-script absolute end-1 top-1 grid size-11 place-items-center rounded-pill hover:bg-leaf-100"
      >
        <CloseIcon size={18} />
      </button>
      <div className="mt-1 text-sm text-ink">
        <CattleNoteList notes={notes} short />
      </div>
    </section>
  )
}
