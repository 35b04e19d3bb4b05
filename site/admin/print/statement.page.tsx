import type { CustomerAccount, Statement } from '#features/pos/account/account-rules.ts'
import { StatementTable } from '#features/pos/ui/statement-table.tsx'
import { formatTaka } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { formatFullDay } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { PrintPreview } from './print-preview.tsx'

export interface Props {
  account: CustomerAccount
  statement: Statement
  printsImmediately: boolean
}

/** Print view of a customer's statement on A4. */
export function Page({ account, statement, printsImmediately }: Props) {
  const { t, lang } = useI18n()
  const { shop } = usePageContext()
  return (
    <PrintPreview
      printsImmediately={printsImmediately}
      parent={{ href: `/admin/customers/${account.id}/statement`, label: t('pos.account.statement') }}
    >
      <article className="mx-auto my-6 max-w-[190mm] bg-white p-[12mm] shadow-soft print:m-0 print:p-0 print:shadow-none">
        <header className="mb-4 flex flex-wrap justify-between gap-4">
          <div>
            <p className="text-lg font-semibold">{shop.name}</p>
            <p>{[shop.address, localizeDigits(lang, shop.phone)].filter(Boolean).join(' · ')}</p>
          </div>
          <div className="text-end">
            <h1 className="text-lg font-semibold">{t('pos.account.statement-of', { name: shownName(account.name, lang) })}</h1>
            <p>{localizeDigits(lang, account.phone)}</p>
            <p>
              {formatFullDay(statement.from, lang)} – {formatFullDay(statement.to, lang)}
            </p>
          </div>
        </header>
        <StatementTable statement={statement} />
        {account.refundDue === 0 ? null : (
          <p className="mt-2">{t('customers.refund-due', { amount: formatTaka(account.refundDue, lang) })}</p>
        )}
        {account.storeCredit === 0 ? null : (
          <p className="mt-2">{t('pos.credit.state', { balance: formatTaka(account.storeCredit, lang) })}</p>
        )}
      </article>
    </PrintPreview>
  )
}
