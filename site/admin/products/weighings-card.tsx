import { ButtonLink } from '#components/button.tsx'
import type { WeighInJson } from '#features/catalog/types.ts'
import type { ProductDetails } from '#features/catalog/products/product-editor-queries.server.ts'
import { formatKg, toMilli } from '#lib/format/numbers.ts'
import { formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { FormSection } from '../ui/form.tsx'
import { ScaleIcon } from '../ui/icons.tsx'

/** The weighings of an animal, with a link to the weigh-in page. */
export function WeighingsCard({ product, weighIns, mayWeigh }: { product: ProductDetails; weighIns: WeighInJson[]; mayWeigh: boolean }) {
  const { t, lang } = useI18n()
  return (
    <FormSection title={t('products.weighings')}>
      {weighIns.length === 0 ? <p className="text-stone">{t('products.weighings-none')}</p> : null}
      <ul className="tabular-nums divide-y divide-line">
        {weighIns.map((one, index) => (
          <li key={index} className="flex flex-wrap items-baseline justify-between gap-x-3 py-1.5">
            <b>{formatKg(toMilli(one.weight_kg), lang)}</b>
            <span className="text-sm text-stone">
              {formatDay(one.weighed_on, lang)}
              {one.weighed_by ? ` · ${one.weighed_by}` : ''}
            </span>
          </li>
        ))}
      </ul>
      {mayWeigh ? (
        <ButtonLink kind="secondary" size="small" className="min-h-11" href={`/admin/weigh-ins?animal=${product.id}`}>
          <ScaleIcon size={18} />
          {t('products.weigh')}
        </ButtonLink>
      ) : null}
    </FormSection>
  )
}
