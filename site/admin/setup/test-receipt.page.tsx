import { useI18n, usePageContext } from '#page/page-context.tsx'
import { PrintPreview } from '../print/print-preview.tsx'
import { PrintableReceipt } from '../print/printable-receipt.tsx'

export interface Props {
  at: string
}

/** A receipt without a sale, to try the printer. */
export function Page({ at }: Props) {
  const { t } = useI18n()
  const { user, shop } = usePageContext()
  return (
    <PrintPreview printsImmediately={false} parent={{ href: '/admin/setup', label: t('setup.continue') }}>
      <PrintableReceipt
        heading={t('setup.test-receipt-title')}
        at={new Date(at)}
        name={user?.name ?? ''}
        phone=""
        lines={[{ id: 1, name: shop.motto, quantity: 1, unit: 'piece', price: 0, total: 0 }]}
        sums={[]}
        spelled={null}
      >
        <p>{t('setup.test-receipt-text')}</p>
      </PrintableReceipt>
    </PrintPreview>
  )
}
