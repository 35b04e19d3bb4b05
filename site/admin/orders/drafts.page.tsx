import { Button, ButtonLink } from '#components/button.tsx'
import type { ListedDraft } from '#features/orders/drafts/drafts.server.ts'
import { formatNumber, localizeDigits } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyList } from '../ui/empty-list.tsx'
import { PlusIcon } from '../ui/icons.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { StatusTabs } from './order-filters.tsx'

export interface Props {
  drafts: ListedDraft[]
  /** A draft was opened that no longer exists. */
  isGone: boolean
}

/** Unfinished orders by phone of all clerks. */
export function Page({ drafts, isGone }: Props) {
  const { t, lang } = useI18n()
  const { ask, dialog } = useConfirm()
  const nameOf = ({ name, phone }: ListedDraft) => name || localizeDigits(lang, phone) || t('admin-orders.draft-nameless')
  async function remove(draft: ListedDraft) {
    const agreed = await ask({
      title: t('admin-orders.draft-delete-title'),
      text: t('admin-orders.draft-delete-text', { name: nameOf(draft) }),
      action: t('admin-orders.draft-delete'),
    })
    if (!agreed) return
    const written = await adminPost(`/admin/orders/drafts/${draft.id}/delete`, { version: draft.version })
    if (written.ok) location.assign('/admin/orders/drafts')
    else showFailure(written, t)
  }
  const columns: Column<ListedDraft>[] = [
    { key: 'name', head: t('admin-orders.customer'), lead: true, cell: nameOf },
    { key: 'phone', head: t('admin-orders.phone'), cell: (row) => localizeDigits(lang, row.phone) },
    {
      key: 'goods',
      head: t('admin-orders.goods'),
      cell: (row) =>
        row.lines > 3 ? `${row.goods} ${t('admin-orders.more-goods', { count: formatNumber(row.lines - 3, lang) })}` : row.goods,
    },
    {
      key: 'changed',
      head: t('admin-orders.draft-changed-at'),
      cell: (row) => `${formatDateTime(new Date(row.updated_at), lang)} · ${row.updated_by}`,
    },
    {
      key: 'do',
      head: t('admin.table.actions'),
      align: 'end',
      cell: (row) => (
        <Button
          size="small"
          kind="secondary"
          aria-label={`${t('admin-orders.draft-delete')}: ${nameOf(row)}`}
          onClick={() => void remove(row)}
        >
          {t('admin-orders.draft-delete')}
        </Button>
      ),
    },
  ]
  return (
    <AdminLayout
      title={t('admin-orders.drafts')}
      actions={
        <ButtonLink href="/admin/orders/create">
          <PlusIcon size={18} />
          {t('admin-orders.new')}
        </ButtonLink>
      }
    >
      <StatusTabs query={{}} isDrafts />
      {isGone ? (
        <p role="status" className="mb-3 rounded-card bg-tag-100 px-3.5 py-2.5 font-semibold">
          {t('admin-orders.draft-gone')}
        </p>
      ) : null}
      <p className="mb-3 text-stone">{t('admin-orders.drafts-hint')}</p>
      <DataTable
        label={t('admin-orders.drafts')}
        rows={drafts}
        columns={columns}
        rowKey={(row) => row.id}
        rowHref={(row) => `/admin/orders/create?draft=${row.id}`}
        empty={<EmptyList text={t('admin-orders.drafts-none')} action={{ href: '/admin/orders/create', label: t('admin-orders.new') }} />}
      />
      {dialog}
    </AdminLayout>
  )
}
