import { AlponaHem } from '#components/alpona.tsx'
import type { ProductJson } from '#features/catalog/types.ts'
import { ProductGrid } from '../listing/product-grid.tsx'

/** One group of the shop window; it has a heading, and is there at all, only while something in it can be ordered. */
export function Slot({ name, products }: { name: string; products: ProductJson[] }) {
  if (!products.some((product) => product.status === 'in-stock' || product.status === 'pre-book')) return null
  return (
    <section aria-label={name} className="shown-when-near mx-auto mt-10 max-w-6xl [contain-intrinsic-block-size:auto_500px]">
      <h2 className="px-4 text-2xl">{name}</h2>
      <AlponaHem className="mx-4 mb-3 text-leaf-600" />
      <ProductGrid products={products} label={name} layout="strip" />
    </section>
  )
}
