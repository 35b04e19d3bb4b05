import { Button } from '#components/button.tsx'
import { readPosPhone } from '#features/pos/rules.ts'
import { formatTaka, poishaToTaka, takaToPoisha } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { AmountField } from './amount-field.tsx'
import { useNetwork } from './device/network.ts'
import { type Sale, type SaleState, typedAmount } from './sale.ts'
import { StoreCreditTender } from './store-credit-tender.tsx'
import { useCustomerLookup } from './use-customer-lookup.ts'

/** A customer's account in taka. */
interface Account {
  limit: number
  owed: number
  left: number
}

/** What the shop knows of a customer's account; store credit in taka. */
interface Known {
  account: Account | null
  store_credit?: number
}

interface AccountTenderProps {
  sale: Sale
  state: SaleState
  error: string | undefined
  /** The shop's error of the store credit. */
  creditError?: string | undefined
  onChange: (changes: Partial<Sale>) => void
}

/** What is not paid in money: by store credit, or on account. Each is shown only to a customer who has it. */
export function AccountTender({ creditError, ...props }: AccountTenderProps) {
  const known = useCustomerLookup<Known>('account', props.sale.phone)
  return (
    <>
      <StoreCreditTender {...props} error={creditError} balance={takaToPoisha(known?.store_credit ?? 0)} />
      <OnAccount {...props} account={known?.account ?? null} />
    </>
  )
}

/** The part of the sale that a customer with a credit limit pays later. */
function OnAccount({ sale, state, error, account, onChange }: AccountTenderProps & { account: Account | null }) {
  const { t, lang } = useI18n()
  const problem = useAccountProblem({ sale, state, error }, account)
  if (sale.onAccount === '' && (account === null || account.limit + account.owed === 0)) return null
  const taka = (amount: number) => formatTaka(takaToPoisha(amount), lang)
  return (
    <div>
      <AmountField
        id="pos-on-account"
        label={t('pos.account.on-account')}
        value={sale.onAccount}
        problem={problem}
        below={
          account ? t('pos.account.state', { owed: taka(account.owed), left: taka(account.left), limit: taka(account.limit) }) : undefined
        }
        onChange={(onAccount) => onChange({ onAccount })}
      >
        <Button
          kind="secondary"
          size="small"
          aria-label={t('pos.account.all')}
          className="min-h-11"
          onClick={() => onChange({ onAccount: String(poishaToTaka(state.max.onAccount)), cash: null })}
        >
          {t('pos.return.all')}
        </Button>
      </AmountField>
      {account && account.owed > 0 ? (
        <p className="text-end">
          <a
            href={`/admin/quick-orders/account?phone=${readPosPhone(sale.phone) ?? ''}`}
            className="inline-flex min-h-11 items-center text-sm font-semibold lg:pointer-fine:min-h-6 text-leaf-700 underline underline-offset-4"
          >
            {t('pos.account.receive')}
          </a>
        </p>
      ) : null}
    </div>
  )
}

/** Why the part on account cannot be sold, as far as this device knows; null when it can. */
function useAccountProblem(
  { sale, state, error }: Omit<AccountTenderProps, 'onChange' | 'creditError'>,
  account: Account | null,
): string | null {
  const { t, lang } = useI18n()
  const isOnline = useNetwork()
  const amount = typedAmount(sale.onAccount)
  if (amount === null) return t('pos.amount-invalid')
  if (amount > state.max.onAccount) return t('pos.account.too-much')
  if (amount === 0) return null
  if (!isOnline) return t('pos.account.needs-network')
  if (error !== undefined) return error
  if (account === null || poishaToTaka(amount) <= account.left) return null
  const taka = (of: number) => formatTaka(takaToPoisha(of), lang)
  return t('pos.account.over-limit', { left: taka(account.left), limit: taka(account.limit), owed: taka(account.owed) })
}
