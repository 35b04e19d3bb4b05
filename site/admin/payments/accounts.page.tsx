import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { SelectField, TextField } from '#components/field.tsx'
import type { ListedAccount } from '#features/reconciliation/queries.server.ts'
import { MAX_ACCOUNT_NAME_LENGTH, STATEMENT_METHODS } from '#features/reconciliation/rules.ts'
import { formatDateTime, formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost, failureText } from '../ui/admin-post.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { methodName } from './method-name.ts'
import { PaymentTabs } from './payment-tabs.tsx'

export interface Props {
  accounts: ListedAccount[]
}

/** The accounts whose statements are reconciled. */
export function Page({ accounts }: Props) {
  const { t, lang } = useI18n()
  const columns: Column<ListedAccount>[] = [
    { key: 'name', head: t('reconcile.account'), lead: true, cell: (row) => row.name },
    { key: 'method', head: t('money.method'), corner: true, cell: (row) => methodName(t, row.method) },
    { key: 'last', head: t('reconcile.last-day'), cell: (row) => (row.last_day === null ? '–' : formatDay(row.last_day, lang)) },
    {
      key: 'upload',
      head: t('reconcile.last-upload'),
      cell: (row) => (row.last_upload === null ? '–' : formatDateTime(new Date(row.last_upload), lang)),
    },
  ]
  return (
    <AdminLayout title={t('money.reconciliation')}>
      <PaymentTabs />
      <p className="mb-3 max-w-prose text-stone">{t('reconcile.accounts-text')}</p>
      <DataTable
        label={t('reconcile.accounts')}
        rows={accounts}
        columns={columns}
        rowKey={(row) => row.id}
        rowHref={(row) => `/admin/payments/accounts/${row.id}`}
        empty={t('reconcile.no-accounts')}
      />
      <NewAccount />
    </AdminLayout>
  )
}

function NewAccount() {
  const { t } = useI18n()
  const [name, setName] = useState('')
  const [method, setMethod] = useState<string>('bkash')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  async function add(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    const written = await adminPost<{ redirect: string }>('/admin/payments/accounts', { name, method }, { once: 'statement-account' })
    if (written.ok) return location.assign(written.body.redirect)
    setBusy(false)
    setProblem(written.errors.name?.[0] ?? written.errors.method?.[0] ?? failureText(written, t))
  }
  return (
    <form noValidate onSubmit={add} className="admin-card mt-6 grid max-w-xl gap-4 p-4 sm:p-5">
      <h2 className="text-lg">{t('reconcile.add')}</h2>
      <TextField
        label={t('reconcile.name')}
        hint={t('reconcile.name-hint')}
        value={name}
        maxLength={MAX_ACCOUNT_NAME_LENGTH}
        error={problem}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField label={t('money.method')} value={method} onChange={(event) => setMethod(event.target.value)}>
        {STATEMENT_METHODS.map((one) => (
          <option key={one} value={one}>
            {methodName(t, one)}
          </option>
        ))}
      </SelectField>
      <div>
        <Button type="submit" busy={isBusy}>
          {t('reconcile.add')}
        </Button>
      </div>
    </form>
  )
}
