import { AlponaHem } from '#components/alpona.tsx'
import { isOrderable } from '#features/catalog/rules.ts'
import type { ProductJson } from '#features/catalog/types.ts'
import { useI18n } from '#page/page-context.tsx'
import { ProductGrid } from '../listing/product-grid.tsx'

/** A section of the home page: a heading with products. Renders nothing while none of them can be ordered. */
export function Slot({ name, products, seeAll }: { name: string; products: ProductJson[]; seeAll: string | null }) {
  const { t } = useI18n()
  if (!products.some((product) => isOrderable(product.status))) return null
  return (
    <section aria-label={name} className="lazy-section mx-auto mt-10 max-w-6xl [contain-intrinsic-block-size:auto_500px]">
      <div className="flex items-baseline justify-between gap-x-4 px-4">
        <h2 className="text-2xl">{name}</h2>
        {seeAll ? (
          <a
            href={seeAll}
            aria-label={`${t('home.see-all')}: ${name}`}
            className="-my-2 py-2 font-semibold whitespace-nowrap text-leaf-600 underline underline-offset-4"
          >
            {t('home.see-all')}
          </a>
        ) : null}
      </div>
      <AlponaHem className="mx-4 mb-3 text-leaf-600" />
      <ProductGrid products={products} label={name} layout="strip" />
    </section>
  )
}
