import { type ComponentType, Suspense } from 'react'
import type { ListingQuery } from '#features/catalog/listing-query-rules.ts'
import type { CattleNotes } from '#features/catalog/cattle-notes.ts'
import type { WeightBand } from '#features/catalog/rules.ts'
import type { ListingJson } from '#features/catalog/types.ts'
import type { PriceRange } from '#features/kurbani/price-range-rules.ts'
import { useI18n } from '#page/page-context.tsx'
import { StoreLayout } from '../layout.tsx'
import { useStockCheck } from './use-stock-check.ts'

export interface KurbaniProps {
  listing: ListingJson
  query: ListingQuery
  bands: WeightBand[]
  notes: CattleNotes | null
  inStock: boolean
  /** The minimum and maximum price, in taka. */
  prices: PriceRange
}

type Part = ComponentType<KurbaniProps & { checking: boolean }>

/** The cows while one is in stock, else the form to pre-book one; the other component is loaded only when needed. */
export function KurbaniPage({ props, Cows, Form }: { props: KurbaniProps; Cows: Part; Form: Part }) {
  const { t } = useI18n()
  const { inStock, checking } = useStockCheck(props.inStock)
  const Shown = inStock ? Cows : Form
  return (
    <StoreLayout>
      <div className="mx-auto max-w-6xl px-4 pt-6">
        <Suspense
          fallback={
            <p role="status" className="min-h-dvh">
              {t('kurbani.checking')}
            </p>
          }
        >
          <Shown {...props} checking={checking} />
        </Suspense>
      </div>
    </StoreLayout>
  )
}
