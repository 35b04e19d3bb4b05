import { ButtonLink } from '#components/button.tsx'
import type { AreaRecord, GroupCharge } from '#features/catalog/areas/queries.server.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyList } from '../ui/empty-list.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { PlusIcon } from '../ui/icons.tsx'

export interface Props {
  areas: AreaRecord[]
}

/** The list of delivery areas and charges. */
export function Page({ areas }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const charge = ({ kind, charge }: GroupCharge) => (kind === 'set' ? formatTaka(takaToPoisha(charge ?? 0), lang) : t(`areas.${kind}`))
  const columns: Column<AreaRecord>[] = [
    { key: 'name', head: t('areas.name'), cell: (area) => (lang === 'bn' ? area.name_bn : area.name_en) },
    { key: 'cattle', head: t('areas.cattle'), align: 'end', cell: (area) => charge(area.cattle) },
    { key: 'produce', head: t('areas.produce'), align: 'end', cell: (area) => charge(area.produce) },
    {
      key: 'state',
      head: t('areas.state'),
      cell: (area) => (area.active ? t('admin.yes') : <span className="chip chip-stone">{t('areas.inactive')}</span>),
    },
  ]
  return (
    <AdminLayout
      title={t('admin.nav.areas')}
      actions={
        can('catalog.write') ? (
          <ButtonLink href="/admin/areas/create">
            <PlusIcon size={18} />
            {t('areas.add')}
          </ButtonLink>
        ) : null
      }
    >
      <DataTable
        label={t('admin.nav.areas')}
        rows={areas}
        columns={columns}
        rowKey={(area) => area.id}
        rowHref={(area) => `/admin/areas/${area.id}`}
        empty={
          <EmptyList
            text={t('areas.empty')}
            action={can('catalog.write') ? { href: '/admin/areas/create', label: t('areas.add') } : null}
          />
        }
      />
    </AdminLayout>
  )
}
