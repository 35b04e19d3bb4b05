import type { ProductStatus } from '#features/catalog/types.ts'
import { useI18n } from '#page/page-context.tsx'

const CHIPS: Record<ProductStatus, string> = {
  'in-stock': 'chip-leaf',
  'pre-book': 'chip-indigo',
  hold: 'chip-mango',
  'out-of-stock': 'chip-stone',
  sold: 'chip-stone',
}

export function StatusChip({ status }: { status: ProductStatus }) {
  const { t } = useI18n()
  return <span className={`chip ${CHIPS[status]}`}>{t(`catalog.status.${status}`)}</span>
}

/** The visibility of a product: in the shop, hidden or archived. */
export function VisibilityChip({ isArchived, visible }: { isArchived: boolean; visible: boolean }) {
  const { t } = useI18n()
  if (isArchived) return <span className="chip chip-stone">{t('products.archived')}</span>
  return visible ? (
    <span className="text-stone">{t('products.in-shop')}</span>
  ) : (
    <span className="chip chip-mango">{t('products.hidden')}</span>
  )
}
