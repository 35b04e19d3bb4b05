import { Button, ButtonLink } from '#components/button.tsx'
import { creditLeft } from '#features/ledger/rules.ts'
import type { CustomerAccount, Statement } from '#features/pos/account/account-rules.ts'
import { creditLimitBody } from '#features/pos/account/account-forms.ts'
import type { ExtraMethod } from '#features/pos/rules.ts'
import { StatementTable } from '#features/pos/ui/statement-table.tsx'
import { formatTaka, type Poisha, poishaToTaka } from '#lib/format/money.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { useI18n } from '#page/page-context.tsx'
import { ReceiveAccountPayment } from '../../pos/receive-account-payment.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { DayField } from '../ui/day-input.tsx'
import { FormPart, FormTaka, RestoredDraft } from '../ui/form.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { SaveProblem } from '../ui/save-bar.tsx'
import { ScrollArea } from '../ui/scroll-area.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { useAdminForm } from '../ui/use-form.ts'

export interface Props {
  account: CustomerAccount
  statement: Statement
  methods: ExtraMethod[]
  /** Whether cash is rounded to whole taka. */
  roundsCash: boolean
}

/** The account of a customer: limit, statement by date, and payments outside of the POS. */
export function Page({ account, statement, methods, roundsCash }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const name = shownName(account.name, lang)
  const period = `from=${statement.from}&to=${statement.to}`
  const url = `/admin/customers/${account.id}`
  const taka = (amount: Poisha) => formatTaka(amount, lang)
  const state = { owed: taka(account.owed), left: taka(creditLeft(account)), limit: taka(account.limit) }
  return (
    <AdminLayout
      title={t('pos.account.statement-of', { name })}
      note={
        <span className="tabular-nums text-stone">
          {t('pos.account.state', state)}{' '}
          {account.refundDue === 0 ? '' : `${t('customers.refund-due', { amount: taka(account.refundDue) })} · `}
          {t('pos.credit.state', { balance: taka(account.storeCredit) })}
        </span>
      }
      back={{ href: url, label: name }}
      actions={
        <>
          <ButtonLink kind="secondary" href={`${url}/statement/print?${period}&print=1`}>
            {t('pos.report.print-a4')}
          </ButtonLink>
          <ButtonLink kind="secondary" href={`${url}/statement?${period}&download=1`}>
            {t('pos.report.file')}
          </ButtonLink>
        </>
      }
    >
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <section className="admin-card p-4">
          <form className="mb-3 flex flex-wrap items-end gap-3">
            <div className="min-w-48 grow">
              <DayField name="from" label={t('pos.account.from')} defaultValue={statement.from} />
            </div>
            <div className="min-w-48 grow">
              <DayField name="to" label={t('pos.account.to')} defaultValue={statement.to} />
            </div>
            <Button type="submit" kind="secondary" size="large">
              {t('pos.show')}
            </Button>
          </form>
          <ScrollArea label={t('pos.account.statement-of', { name })}>
            <StatementTable statement={statement} />
          </ScrollArea>
        </section>
        <div className="space-y-4">
          {account.owed > 0 && can('payments.write') ? (
            <section className="admin-card p-4">
              <h2 className="mb-2 text-lg">{t('pos.account.receive')}</h2>
              <ReceiveAccountPayment
                key={account.owed}
                url={`${url}/payments`}
                owed={account.owed}
                roundsCash={roundsCash}
                methods={methods}
              />
            </section>
          ) : null}
          {can('customers.accounts') ? <CreditLimit id={account.id} limit={account.limit} /> : null}
        </div>
      </div>
    </AdminLayout>
  )
}

export function CreditLimit({ id, limit }: { id: number; limit: Poisha }) {
  const { t } = useI18n()
  const url = `/admin/customers/${id}/credit-limit`
  const previous = poishaToTaka(limit)
  const bodyOf = (values: { credit_limit: string }) => ({ ...values, previous })
  const form = useAdminForm<{ credit_limit: string }, object>({
    id: `credit-limit-${id}`,
    initial: { credit_limit: String(previous) },
    version: previous,
    schema: creditLimitBody,
    bodyOf,
    save: (values) => adminPost(url, bodyOf(values)),
    onSaved: () => location.reload(),
  })
  return (
    <FormPart form={form}>
      <RestoredDraft form={form} />
      <section className="admin-card space-y-3 p-4">
        <FormTaka name="credit_limit" label={t('pos.account.limit')} hint={t('pos.account.limit-hint')} />
        <SaveProblem form={form} />
        <Button type="submit" kind="secondary" busy={form.isSaving}>
          {t('admin.save')}
        </Button>
      </section>
    </FormPart>
  )
}
