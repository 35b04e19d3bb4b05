import { MAX_RECEIPT_LENGTH } from '#features/pos/limits.ts'
import { Button, ButtonLink } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import type { ExtraMethod } from '#features/pos/rules.ts'
import { isReturnable } from '#features/orders/returns/return-rules.ts'
import type { SoldSale } from '#features/pos/sale-queries.server.ts'
import { formatTaka, type Poisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { ReturnForm } from './return-form.tsx'
import { AdminLayout } from '../admin/ui/layout.tsx'

export interface Props {
  /** The typed or scanned receipt number; empty at first. */
  receipt: string
  sale: SoldSale | null
  /** The maximum refund of this sale without a supervisor; null: unlimited. */
  allowance: Poisha | null
  /** Whether cash is rounded to whole taka. */
  roundsCash: boolean
  /** The payment methods beside cash, bKash and bank. */
  methods: ExtraMethod[]
  /** Whether the cashier's shift is open. */
  isOpen: boolean
}

/** Returns of a POS sale: find the sale by its receipt, then choose products and refund. */
export function Page({ receipt, sale, ...shop }: Props) {
  const { t, lang } = useI18n()
  return (
    <AdminLayout title={t('pos.return.title')} back={{ href: '/admin/quick-orders', label: t('pos.title') }}>
      <div className="max-w-3xl">
        <form className="mb-4 flex items-start gap-3">
          <div className="grow">
            <TextField
              id="return-receipt"
              name="receipt"
              label={t('pos.return.receipt-number')}
              hint={t('pos.return.receipt-hint')}
              defaultValue={sale ? localizeDigits(lang, String(sale.id)) : receipt}
              autoComplete="off"
              maxLength={MAX_RECEIPT_LENGTH}
              required
              error={receipt !== '' && !sale ? t('pos.return.not-found') : undefined}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the scanner types here
              autoFocus={!sale}
            />
          </div>
          <Button type="submit" kind="secondary" size="large" className="mt-7">
            {t('pos.show')}
          </Button>
        </form>
        {sale ? (
          <Sale sale={sale} {...shop} />
        ) : (
          <p>
            <ButtonLink kind="secondary" href="/admin/quick-orders/return-without-receipt">
              {t('pos.receiptless')}
            </ButtonLink>
          </p>
        )}
      </div>
    </AdminLayout>
  )
}

function Sale({ sale, allowance, roundsCash, methods, isOpen }: { sale: SoldSale } & Omit<Props, 'receipt' | 'sale'>) {
  const { t, lang } = useI18n()
  const refusal = sale.isSettled
    ? t('pos.return.settled')
    : !isReturnable(sale.status)
      ? t('pos.return.not-out')
      : isOpen
        ? null
        : t('pos.no-shift')
  return (
    <>
      <section aria-label={t('pos.return.sale')} className="mb-4 rounded-card border border-line bg-milk p-4">
        <h2 className="flex flex-wrap items-center justify-between gap-2 text-lg">
          {t('pos.return.sale-of', { id: localizeDigits(lang, String(sale.id)) })}
          <span className="tabular-nums">{formatTaka(sale.total, lang)}</span>
        </h2>
        <p className="text-stone">
          {[formatDateTime(new Date(sale.placedAt), lang), shownName(sale.name, lang), localizeDigits(lang, sale.phone)]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <p className="tabular-nums text-stone">
          {sale.paidBy
            .map(({ method, amount }) => {
              return `${t(method === 'on_account' ? 'pos.account.on-account' : `pos.${method}`)} ${formatTaka(amount, lang)}`
            })
            .join(' · ')}
        </p>
        {sale.returns.length > 0 ? (
          <ul className="mt-2 space-y-1 border-t border-line pt-2 text-sm">
            {sale.returns.map((one) => (
              <li key={one.id} className="flex flex-wrap justify-between gap-x-3">
                <a
                  className="font-semibold text-leaf-700 underline underline-offset-4"
                  href={`/admin/quick-orders/return-receipts/${one.id}`}
                >
                  {t('pos.return.earlier', { when: formatDateTime(new Date(one.at), lang) })}
                </a>
                <span>{one.reason}</span>
                <span className="tabular-nums">{formatTaka(one.refund, lang)}</span>
              </li>
            ))}
          </ul>
        ) : null}
      </section>
      {refusal === null ? (
        <ReturnForm sale={sale} allowance={allowance} roundsCash={roundsCash} methods={methods} />
      ) : (
        <p role="alert" className="rounded-card border border-terracotta bg-milk p-4 font-semibold text-terracotta">
          {refusal}{' '}
          {sale.isSettled || !isReturnable(sale.status) ? null : (
            <ButtonLink href="/admin/quick-orders" kind="secondary" className="ms-2">
              {t('pos.open-shift')}
            </ButtonLink>
          )}
        </p>
      )}
    </>
  )
}
