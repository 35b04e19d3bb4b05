import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import type { StatementAccount } from '#features/reconciliation/accounts.server.ts'
import type { ReconciliationDay, StatementUpload as Upload } from '#features/reconciliation/queries.server.ts'
import { MAX_ACCOUNT_NAME_LENGTH } from '#features/reconciliation/rules.ts'
import type { Period } from '#features/reports/period-rules.ts'
import { formatTaka, poisha, type Poisha } from '#lib/format/money.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { formatDateTime, formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost, failureText, showFailure } from '../ui/admin-post.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { DeleteButton } from '../ui/delete-button.tsx'
import { FilterBar } from '../ui/filters.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { DayState } from './day-state.tsx'
import { methodName } from './method-name.ts'
import { StatementUpload } from './statement-upload.tsx'

export interface Props {
  account: Pick<StatementAccount, 'id' | 'name' | 'method'>
  period: Period
  days: ReconciliationDay[]
  uploads: Upload[]
}

/** An account: upload of its statement, and its days with their open rows and entries. */
export function Page({ account, period, days, uploads }: Props) {
  const { t } = useI18n()
  /** Days and uploads are of the time before an import, which links to its days. */
  const [hasChanged, setChanged] = useState(false)
  return (
    <AdminLayout
      title={account.name}
      back={{ href: '/admin/payments/accounts', label: t('money.reconciliation') }}
      note={<span className="chip chip-stone">{methodName(t, account.method)}</span>}
    >
      <StatementUpload accountId={account.id} onImported={() => setChanged(true)} />
      {hasChanged ? null : <Loaded account={account} period={period} days={days} uploads={uploads} />}
    </AdminLayout>
  )
}

function Loaded({ account, period, days, uploads }: Props) {
  const { t, lang } = useI18n()
  return (
    <>
      <h2 className="mt-6 mb-2 text-lg">{t('reconcile.days')}</h2>
      <FilterBar
        screen="reconciliation"
        values={{ from: period.from, to: period.to }}
        fields={[
          { name: 'from', label: t('admin.from'), kind: 'date' },
          { name: 'to', label: t('admin.to'), kind: 'date' },
        ]}
      />
      <DataTable
        label={t('reconcile.days')}
        rows={days}
        columns={useDayColumns()}
        rowKey={(row) => row.day}
        rowHref={(row) => `/admin/payments/accounts/${account.id}/${row.day}`}
        empty={t('reconcile.no-days')}
      />
      <MatchAgain accountId={account.id} />
      {uploads.length === 0 ? null : (
        <>
          <h2 className="mt-6 mb-2 text-lg">{t('reconcile.uploads')}</h2>
          <ul className="admin-card divide-y divide-line px-4 text-sm">
            {uploads.map((upload) => (
              <li key={upload.id} className="flex flex-wrap items-center justify-between gap-x-4 py-2">
                <span className="min-w-0 break-all">{upload.file_name}</span>
                <span className="text-stone">
                  {t('reconcile.upload-of', { added: formatNumber(upload.new_count, lang), rows: formatNumber(upload.row_count, lang) })} ·{' '}
                  {upload.by}, {formatDateTime(new Date(upload.at), lang)}
                </span>
                <DeleteButton
                  url={`/admin/payments/accounts/${account.id}/uploads/${upload.id}`}
                  question={t('reconcile.delete-upload', { name: upload.file_name })}
                  text={t('reconcile.delete-upload-text')}
                  next={`/admin/payments/accounts/${account.id}`}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      <AccountForm account={account} canDelete={uploads.length === 0} />
    </>
  )
}

/** Renames the account, or deletes one that was added by mistake. */
function AccountForm({ account, canDelete }: { account: Props['account']; canDelete: boolean }) {
  const { t } = useI18n()
  const [name, setName] = useState(account.name)
  const [previous, setPrevious] = useState(account.name)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const url = `/admin/payments/accounts/${account.id}`
  async function save(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    const written = await adminPost<{ name: string }>(url, { name, previous })
    if (written.ok) return location.reload()
    setBusy(false)
    const saved = written.saved?.name
    if (saved) setPrevious(saved)
    setProblem(saved ? t('admin.stale-note', { note: saved }) : (written.errors.name?.[0] ?? failureText(written, t)))
  }
  return (
    <form noValidate onSubmit={save} className="admin-card mt-6 grid max-w-xl gap-4 p-4 sm:p-5">
      <h2 className="text-lg">{t('reconcile.account')}</h2>
      <TextField
        label={t('reconcile.name')}
        value={name}
        maxLength={MAX_ACCOUNT_NAME_LENGTH}
        error={problem}
        onChange={(event) => setName(event.target.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={isBusy}>
          {t('admin.save')}
        </Button>
        {canDelete ? (
          <DeleteButton url={url} question={t('reconcile.delete-account', { name: account.name })} next="/admin/payments/accounts" />
        ) : null}
      </div>
    </form>
  )
}

function useDayColumns(): Column<ReconciliationDay>[] {
  const { t, lang } = useI18n()
  const taka = (poisha: Poisha) => <span className="tabular-nums whitespace-nowrap">{formatTaka(poisha, lang)}</span>
  return [
    { key: 'day', head: t('money.day'), lead: true, cell: (row) => formatDay(row.day, lang) },
    { key: 'state', head: t('reconcile.state'), corner: true, cell: (row) => <DayState day={row} /> },
    { key: 'statement', head: t('reconcile.statement'), align: 'end', cell: (row) => taka(row.statement_poisha) },
    { key: 'books', head: t('reconcile.books'), align: 'end', cell: (row) => taka(row.books_poisha) },
    {
      key: 'difference',
      head: t('reconcile.difference'),
      align: 'end',
      cell: (row) => taka(poisha(row.statement_poisha - row.books_poisha)),
    },
  ]
}

/** Matches again, for payments that were recorded after the upload. */
function MatchAgain({ accountId }: { accountId: number }) {
  const { t, lang } = useI18n()
  const [isBusy, setBusy] = useState(false)
  async function match() {
    setBusy(true)
    const answer = await adminPost<{ matched: number }>(`/admin/payments/accounts/${accountId}/match`, {})
    setBusy(false)
    if (!answer.ok) return showFailure(answer, t)
    if (answer.body.matched > 0) return location.reload()
    showToast(t('reconcile.again-done', { count: formatNumber(0, lang) }))
  }
  return (
    <p className="mt-3">
      <Button size="small" kind="secondary" busy={isBusy} onClick={() => void match()}>
        {t('reconcile.again')}
      </Button>
    </p>
  )
}
