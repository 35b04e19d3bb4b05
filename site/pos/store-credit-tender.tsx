import { Button } from '#components/button.tsx'
import { formatTaka, type Poisha, poisha, poishaToTaka } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { AmountField } from './amount-field.tsx'
import { useNetwork } from './device/network.ts'
import { type Sale, type SaleState, typedAmount } from './sale.ts'

interface StoreCreditProps {
  sale: Sale
  state: SaleState
  error: string | undefined
  /** The store credit of the customer, as far as this device knows. */
  balance: Poisha
  onChange: (changes: Partial<Sale>) => void
}

/** The part of the sale that the customer's store credit pays. Shown only where there is some. */
export function StoreCreditTender({ sale, state, error, balance, onChange }: StoreCreditProps) {
  const { t, lang } = useI18n()
  const typed = sale.storeCredit ?? ''
  const problem = useProblem({ typed, state, error, balance })
  if (typed === '' && balance === 0) return null
  const max = poisha(Math.min(balance, state.max.storeCredit))
  return (
    <AmountField
      id="pos-store-credit"
      label={t('pos.store_credit')}
      value={typed}
      problem={problem}
      note={balance > 0 ? t('pos.credit.has', { balance: formatTaka(balance, lang) }) : undefined}
      onChange={(storeCredit) => onChange({ storeCredit })}
    >
      <Button
        kind="secondary"
        size="small"
        aria-label={t('pos.credit.use')}
        className="min-h-11"
        disabled={max <= 0}
        onClick={() => onChange({ storeCredit: String(poishaToTaka(max)), cash: null })}
      >
        {t('pos.return.all')}
      </Button>
    </AmountField>
  )
}

/** Why the store credit cannot pay, as far as this device knows; null when it can. */
function useProblem({ typed, state, error, balance }: Pick<StoreCreditProps, 'state' | 'error' | 'balance'> & { typed: string }) {
  const { t, lang } = useI18n()
  const isOnline = useNetwork()
  const amount = typedAmount(typed)
  if (amount === null) return t('pos.amount-invalid')
  if (amount > state.max.storeCredit) return t('pos.account.too-much')
  if (amount === 0) return null
  if (!isOnline) return t('pos.credit.needs-network')
  if (error !== undefined) return error
  if (balance === 0) return t('pos.credit.none')
  return amount <= balance ? null : t('pos.credit.too-little', { balance: formatTaka(balance, lang) })
}
