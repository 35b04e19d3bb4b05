import { ButtonLink } from '#components/button.tsx'
import type { ProductJson } from '#features/catalog/types.ts'
import { type FilterChip, FilterChips } from './filter-chips.tsx'
import { ProductGrid } from './product-grid.tsx'
import { useStatusRefresh } from '#features/catalog/ui/use-status-refresh.ts'
import { useI18n } from '#page/page-context.tsx'
import { StoreLayout } from '../layout.tsx'

export interface Props {
  query: string
  /** Null: too little was typed to search for. */
  products: ProductJson[] | null
  /** There are more than these. */
  more: boolean
  /** The weight and budget that the search text was read as, each with the URL of the search without it. */
  chips: FilterChip[]
}

export function Page({ query, products, more, chips }: Props) {
  const { t } = useI18n()
  const { products: now, news } = useStatusRefresh(products ?? [])
  const title = products === null || query === '' ? t('search.title') : t('search.results', { query })
  return (
    <StoreLayout>
      <div className="mx-auto max-w-6xl px-4 pt-6">
        <h1 className="text-2xl [overflow-wrap:anywhere]">{title}</h1>
        <FilterChips chips={chips} />
        {products === null ? <p className="mt-2">{t('search.short')}</p> : null}
        {products?.length === 0 ? <NothingFound /> : null}
        {now.length > 0 ? (
          <>
            <p className="tabular-nums mt-1 mb-4 text-stone">{more ? t('search.more') : t('search.found', { count: now.length })}</p>
            <h2 className="sr-only">{t('catalog.products')}</h2>
            <ProductGrid products={now} kind="search" firstCount={2} label={title} />
          </>
        ) : null}
      </div>
      <p className="sr-only" role="status">
        {news}
      </p>
    </StoreLayout>
  )
}

function NothingFound() {
  const { t } = useI18n()
  return (
    <div className="stitch mt-4 rounded-card bg-milk p-8 text-center text-leaf-600/60">
      <div className="text-ink">
        <p className="text-xl font-semibold">{t('catalog.none')}</p>
        <p className="mt-1 text-stone">{t('search.none-text')}</p>
        <ButtonLink href="/" kind="secondary" className="mt-4">
          {t('catalog.none-all')}
        </ButtonLink>
      </div>
    </div>
  )
}
