import { AlponaHem } from '#components/alpona.tsx'
import type { ListingQuery } from '#features/catalog/listing-query-rules.ts'
import type { CattleNotes } from '#features/catalog/cattle-notes.ts'
import type { WeightBand } from '#features/catalog/rules.ts'
import type { ListingJson } from '#features/catalog/types.ts'
import { CattleNoteFold } from '#features/catalog/ui/cattle-notes.tsx'
import { useStatusRefresh } from '#features/catalog/ui/use-status-refresh.ts'
import { useI18n } from '#page/page-context.tsx'
import { StoreLayout } from '../layout.tsx'
import { Listing } from './listing.tsx'
import { type ListingSource, useListing } from './use-listing.ts'

export interface CategoryListProps {
  listing: ListingJson
  query: ListingQuery
  notes: CattleNotes | null
}

interface Words {
  title: string
  lead: string
  notesTitle: string
}

/** The page of one category: description, weight and price, list. */
export function CategoryList({
  listing,
  query,
  notes,
  source,
  bands,
  words,
}: CategoryListProps & { source: ListingSource; bands: readonly WeightBand[]; words: Words }) {
  const { t } = useI18n()
  const list = useListing(source, { listing, query })
  const { products, news } = useStatusRefresh(list.listing.products)
  return (
    <StoreLayout>
      <div className="mx-auto max-w-6xl px-4 pt-6">
        <h1 className="text-3xl">{words.title}</h1>
        <AlponaHem className="mt-1 text-leaf-600" />
        <p className="mt-2 max-w-[60ch]">{words.lead}</p>
        {notes ? (
          <div className="mt-4">
            <CattleNoteFold notes={notes} title={words.notesTitle} />
          </div>
        ) : null}
        <h2 className="sr-only">{t('catalog.products')}</h2>
        <div className="mt-6">
          <Listing list={list} products={products} bands={bands} firstCount={2} heading={words.title} />
        </div>
      </div>
      <p className="sr-only" role="status">
        {news}
      </p>
    </StoreLayout>
  )
}
