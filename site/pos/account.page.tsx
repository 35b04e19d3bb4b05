import { Button } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import { creditLeft } from '#features/ledger/rules.ts'
import type { CustomerAccount } from '#features/pos/account/account-rules.ts'
import type { ExtraMethod } from '#features/pos/rules.ts'
import { MAX_TYPED_PHONE_LENGTH } from '#lib/format/input-limits.ts'
import { formatTaka, type Poisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { AdminLayout } from '../admin/ui/layout.tsx'
import { ReceiveAccountPayment } from './receive-account-payment.tsx'

export interface Props {
  /** As typed; empty at first. */
  phone: string
  account: CustomerAccount | null
  orders: { id: number; placed_at: string; due: Poisha }[]
  methods: ExtraMethod[]
  /** Whether cash is rounded to whole taka. */
  roundsCash: boolean
  /** Whether the cashier's shift is open. */
  isOpen: boolean
}

/** The account of a customer at the POS: what is due, and a payment on it. */
export function Page({ phone, account, orders, methods, roundsCash, isOpen }: Props) {
  const { t, lang } = useI18n()
  const taka = (amount: Poisha) => formatTaka(amount, lang)
  return (
    <AdminLayout title={t('pos.account.title')} back={{ href: '/admin/quick-orders', label: t('pos.title') }}>
      <div className="max-w-3xl space-y-4">
        <form className="flex items-end gap-3">
          <div className="grow">
            <TextField
              name="phone"
              label={t('pos.phone')}
              inputMode="tel"
              autoComplete="off"
              maxLength={MAX_TYPED_PHONE_LENGTH}
              defaultValue={localizeDigits(lang, account?.phone ?? phone)}
              required
              error={phone !== '' && !account ? t('pos.account.not-found') : undefined}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the phone is typed first
              autoFocus={!account}
            />
          </div>
          <Button type="submit" kind="secondary" className="min-h-12">
            {t('pos.show')}
          </Button>
        </form>
        {account ? (
          <section aria-label={shownName(account.name, lang)} className="space-y-4 rounded-card border border-line bg-milk p-4">
            <h2 className="flex flex-wrap justify-between gap-2 text-lg">
              {shownName(account.name, lang)}
              <span className="tabular-nums font-normal text-stone">{localizeDigits(lang, account.phone)}</span>
            </h2>
            <dl className="tabular-nums grid grid-cols-3 gap-3">
              <Figure label={t('pos.account.owed')} value={taka(account.owed)} isDue={account.owed > 0} />
              <Figure label={t('pos.account.limit')} value={taka(account.limit)} />
              <Figure label={t('pos.account.left')} value={taka(creditLeft(account))} />
            </dl>
            {account.refundDue === 0 ? null : (
              <p className="tabular-nums">{t('customers.refund-due', { amount: taka(account.refundDue) })}</p>
            )}
            {account.storeCredit === 0 ? null : (
              <p className="tabular-nums">{t('pos.credit.state', { balance: taka(account.storeCredit) })}</p>
            )}
            {orders.length === 0 ? (
              <p className="text-stone">{t('pos.account.nothing-due')}</p>
            ) : (
              <ul aria-label={t('pos.account.open')} className="divide-y divide-line border-y border-line">
                {orders.map((order) => (
                  <li key={order.id} className="tabular-nums flex flex-wrap justify-between gap-x-4 py-2">
                    <span>
                      {t('pos.account.for-order', { id: localizeDigits(lang, String(order.id)) })}
                      <span className="text-stone"> · {formatDateTime(new Date(order.placed_at), lang)}</span>
                    </span>
                    <b>{taka(order.due)}</b>
                  </li>
                ))}
              </ul>
            )}
            {account.owed > 0 && isOpen ? (
              <ReceiveAccountPayment
                key={account.owed}
                url={`/admin/quick-orders/account/${account.id}/payments`}
                owed={account.owed}
                roundsCash={roundsCash}
                methods={methods}
              />
            ) : null}
            {account.owed > 0 && !isOpen ? <p className="font-semibold text-terracotta">{t('pos.no-shift')}</p> : null}
          </section>
        ) : null}
      </div>
    </AdminLayout>
  )
}

function Figure({ label, value, isDue = false }: { label: string; value: string; isDue?: boolean }) {
  return (
    <div>
      <dt className="text-sm text-stone">{label}</dt>
      <dd className={`text-lg font-semibold sm:text-xl ${isDue ? 'text-terracotta' : ''}`}>{value}</dd>
    </div>
  )
}
