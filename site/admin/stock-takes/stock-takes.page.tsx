import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { SelectField, TextField } from '#components/field.tsx'
import type { ListedTake } from '#features/stock-takes/queries.server.ts'
import { MAX_NOTE_LENGTH } from '#features/stock-takes/rules.ts'
import type { KeysetPage } from '#lib/db/keyset.ts'
import { formatTaka } from '#lib/format/money.ts'
import { formatNumber, localizeDigits } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost, failureText } from '../ui/admin-post.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { Paging } from '../ui/paging.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { TakeState, useTakeScope } from './take-state.tsx'

export interface Props {
  takes: KeysetPage<ListedTake>
  categories: { id: number; name: string }[]
}

/** All stock takes, the newest first, and the start of another one. */
export function Page({ takes, categories }: Props) {
  const { t, lang } = useI18n()
  const scopeOf = useTakeScope()
  const { can } = usePermissions()
  const columns: Column<ListedTake>[] = [
    {
      key: 'id',
      head: t('stock-take.number'),
      lead: true,
      cell: (row) => (
        <>
          {localizeDigits(lang, String(row.id))} · {scopeOf(row)}
          {row.note ? <span className="block text-sm font-normal break-words text-stone">{row.note}</span> : null}
        </>
      ),
    },
    { key: 'state', head: t('stock-take.state'), corner: true, cell: (row) => <TakeState state={row.state} /> },
    {
      key: 'started',
      head: t('stock-take.started'),
      cell: (row) => `${formatDateTime(new Date(row.started_at), lang)} · ${row.started_by}`,
    },
    {
      key: 'ended',
      head: t('stock-take.ended-at'),
      cell: (row) => (row.ended_at === null ? '' : `${formatDateTime(new Date(row.ended_at), lang)} · ${row.ended_by ?? ''}`),
    },
    { key: 'lines', head: t('stock-take.list.counted'), align: 'end', cell: (row) => formatNumber(row.lines, lang) },
    { key: 'differences', head: t('stock-take.list.different'), align: 'end', cell: (row) => formatNumber(row.differences, lang) },
    {
      key: 'value',
      head: t('stock-take.value'),
      align: 'end',
      cell: (row) => (row.difference_poisha === null ? '' : formatTaka(row.difference_poisha, lang)),
    },
  ]
  return (
    <AdminLayout title={t('admin.nav.stock-takes')}>
      {can('catalog.write') ? <StartForm categories={categories} /> : null}
      <DataTable
        label={t('admin.nav.stock-takes')}
        rows={takes.rows}
        columns={columns}
        rowKey={(row) => row.id}
        rowHref={(row) => `/admin/stock-takes/${row.id}`}
        empty={t('stock-take.none')}
      />
      <Paging prev={takes.prev} next={takes.next} />
    </AdminLayout>
  )
}

function StartForm({ categories }: Pick<Props, 'categories'>) {
  const { t } = useI18n()
  const [category, setCategory] = useState('')
  const [note, setNote] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [problems, setProblems] = useState<{ category_id?: string[]; note?: string[]; message?: string }>({})
  async function start(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    const written = await adminPost<{ redirect: string }>('/admin/stock-takes', { category_id: category, note }, { once: 'stock-take' })
    if (written.ok) return location.assign(written.body.redirect)
    setBusy(false)
    setProblems(Object.keys(written.errors).length > 0 ? written.errors : { message: failureText(written, t) })
  }
  return (
    <form
      noValidate
      onSubmit={start}
      className="admin-card mb-5 grid gap-3 p-4 sm:grid-cols-[minmax(0,21rem)_minmax(0,24rem)_auto] sm:items-start"
    >
      <SelectField
        label={t('stock-take.scope')}
        value={category}
        error={problems.category_id?.[0]}
        onChange={(event) => setCategory(event.target.value)}
      >
        <option value="">{t('stock-take.everything')}</option>
        {categories.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t('stock-take.note')}
        optionalLabel={t('admin.optional')}
        value={note}
        maxLength={MAX_NOTE_LENGTH}
        error={problems.note?.[0] ?? problems.message}
        onChange={(event) => setNote(event.target.value)}
      />
      <Button type="submit" busy={isBusy} className="sm:mt-8 sm:justify-self-start">
        {t('stock-take.start')}
      </Button>
    </form>
  )
}
