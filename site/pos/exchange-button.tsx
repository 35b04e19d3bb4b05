import { Button } from '#components/button.tsx'
import { showToast } from '#components/toast.tsx'
import { TOAST_TIME } from '#features/pos/rules.ts'
import { useI18n } from '#page/page-context.tsx'
import { handOverExchange, type SaleExchange } from './exchange.ts'

interface ExchangeButtonProps {
  chosen: Omit<SaleExchange, 'method' | 'transactionId'>
  customer: { phone: string; name: string }
  disabled: boolean
}

/** Takes the chosen products to the POS page, where the cashier scans what the customer takes instead. */
export function ExchangeButton({ chosen, customer: { phone, name }, disabled }: ExchangeButtonProps) {
  const { t } = useI18n()
  function begin(button: HTMLButtonElement) {
    if (!button.form?.reportValidity()) return
    const exchange = { ...chosen, method: 'cash', transactionId: '' } as const
    if (handOverExchange({ exchange, phone, name })) location.assign('/admin/quick-orders')
    else showToast(t('pos.held.impossible'), { kind: 'error', milliseconds: TOAST_TIME })
  }
  return (
    <Button kind="secondary" size="large" disabled={disabled} onClick={({ currentTarget }) => begin(currentTarget as HTMLButtonElement)}>
      {t('pos.exchange.start')}
    </Button>
  )
}
