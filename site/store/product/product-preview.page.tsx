import { InfoIcon } from '#components/icons.tsx'
import { PREVIEW_WORDS } from '#messages/product-preview.ts'
import { useI18n } from '#page/page-context.tsx'
import { Page as ProductPage, type Props } from './product.page.tsx'
import { ProductGrid } from '../listing/product-grid.tsx'

export type { Props }

/** A product before it is published: its card, and its page. */
export function Page(props: Props) {
  const { lang } = useI18n()
  const words = PREVIEW_WORDS[lang]
  const lead = (
    <section aria-label={words.title} className="mb-4">
      <p className="stitch mx-4 mt-3 flex gap-2 rounded-card bg-tag-100 px-3.5 py-2.5 font-semibold lg:mx-0">
        <InfoIcon className="mt-0.5 shrink-0" />
        {words.title}
      </p>
      <h2 className="mt-4 mb-2 px-4 text-lg lg:px-0">{words.card}</h2>
      <div className="max-lg:px-4 lg:-mx-4">
        <ProductGrid products={[props.product]} label={words.card} />
      </div>
    </section>
  )
  return <ProductPage {...props} lead={lead} />
}
