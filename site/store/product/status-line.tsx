import { AlertIcon, CalendarIcon, CheckIcon } from '#components/icons.tsx'
import { isOrderable } from '#features/catalog/rules.ts'
import type { ProductDetailJson, ProductStatus } from '#features/catalog/types.ts'
import { formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'

const LOOKS: Record<ProductStatus, string> = {
  'in-stock': 'bg-leaf-100 text-leaf-800',
  'pre-book': 'bg-indigo-100 text-indigo',
  hold: 'bg-mango-100 text-ink',
  'out-of-stock': 'bg-sand text-stone',
  sold: 'bg-sand text-stone',
}

/** The status of a product as a label with an icon, and its delivery date. */
export function StatusLine({ product, loading }: { product: ProductDetailJson; loading: boolean }) {
  const { t, lang } = useI18n()
  const canBeOrdered = isOrderable(product.status)
  return (
    <p className="mt-2 flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span
        className={`inline-flex items-center gap-1 rounded-tag px-2 py-0.5 font-semibold ${LOOKS[product.status]}`}
        data-status={product.status}
      >
        {canBeOrdered ? <CheckIcon size={16} /> : <AlertIcon size={16} />}
        {t(`catalog.status.${product.status}`)}
      </span>
      {canBeOrdered && product.delivery_date ? (
        <span className="inline-flex items-center gap-1.5">
          <CalendarIcon size={16} className="text-leaf-600" />
          {t('catalog.delivery-from', { day: formatDay(product.delivery_date, lang) })}
        </span>
      ) : null}
      <span role="status" className="text-stone">
        {loading ? t('catalog.loading') : ''}
      </span>
    </p>
  )
}
