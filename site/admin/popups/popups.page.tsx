import { ButtonLink } from '#components/button.tsx'
import { Picture } from '#components/picture.tsx'
import type { PopupRecord } from '#features/catalog/popups/queries.server.ts'
import type { KeysetPage } from '#lib/db/keyset.ts'
import { formatMoment } from '#lib/format/time.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyList } from '../ui/empty-list.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { Paging } from '../ui/paging.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { PlusIcon } from '../ui/icons.tsx'

export interface Props {
  page: KeysetPage<PopupRecord>
}

const LOOKS = { shown: 'chip-leaf', 'not-yet': 'chip-indigo', behind: 'chip-mango', ended: 'chip-stone', off: 'chip-stone' } as const

/** The campaigns over the home page, the newest first. */
export function Page({ page }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const columns: Column<PopupRecord>[] = [
    {
      key: 'name',
      head: t('popups.campaign'),
      lead: true,
      cell: (popup) => (
        <span className="inline-flex items-center gap-3">
          <span className="block aspect-4/3 w-16 shrink-0 overflow-hidden rounded-tag">
            <Picture picture={popup.picture.picture} alt="" sizes="64px" light />
          </span>
          {(lang === 'bn' ? popup.alt_bn : popup.alt_en) || `#${localizeDigits(lang, String(popup.id))}`}
        </span>
      ),
    },
    {
      key: 'state',
      head: t('popups.state'),
      cell: ({ state }) => <span className={`chip ${LOOKS[state]}`}>{t(`popups.state.${state}`)}</span>,
    },
    { key: 'from', head: t('popups.starts'), cell: (popup) => <span className="tabular-nums">{formatMoment(popup.starts_at, lang)}</span> },
    {
      key: 'to',
      head: t('popups.ends'),
      cell: (popup) => <span className="tabular-nums">{popup.ends_at ? formatMoment(popup.ends_at, lang) : t('popups.no-end')}</span>,
    },
    {
      key: 'link',
      head: t('popups.link'),
      wideOnly: true,
      cell: ({ link }) => <span className="wrap-anywhere">{link || t('admin.none')}</span>,
    },
  ]
  return (
    <AdminLayout
      title={t('admin.nav.popups')}
      actions={
        can('catalog.write') ? (
          <ButtonLink href="/admin/popups/create">
            <PlusIcon size={18} />
            {t('popups.add')}
          </ButtonLink>
        ) : null
      }
    >
      <p className="mb-3 max-w-prose text-sm text-stone">{t('popups.about')}</p>
      <DataTable
        label={t('admin.nav.popups')}
        rows={page.rows}
        columns={columns}
        rowKey={(popup) => popup.id}
        rowHref={(popup) => `/admin/popups/${popup.id}`}
        empty={
          <EmptyList
            text={t('popups.empty')}
            action={can('catalog.write') ? { href: '/admin/popups/create', label: t('popups.add') } : null}
          />
        }
      />
      <Paging prev={page.prev} next={page.next} />
    </AdminLayout>
  )
}
