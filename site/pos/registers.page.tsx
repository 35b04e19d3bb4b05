import type { RegisterRecord } from '#features/pos/registers.server.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { type Column, DataTable } from '../admin/ui/data-table.tsx'
import { AdminLayout } from '../admin/ui/layout.tsx'

export interface Props {
  registers: RegisterRecord[]
}

/** The registers of the shop. The first shift that names a register creates it. */
export function Page({ registers }: Props) {
  const { t, lang } = useI18n()
  const columns: Column<RegisterRecord>[] = [
    { key: 'name', head: t('pos.register'), lead: true, cell: ({ name }) => localizeDigits(lang, name) },
    {
      key: 'state',
      head: t('pos.registers.status'),
      cell: ({ active, open_by: openBy }) => {
        if (openBy !== null) return <span className="chip chip-leaf">{t('pos.registers.open-by', { name: openBy })}</span>
        return active ? t('pos.registers.free') : <span className="chip chip-stone">{t('pos.registers.off')}</span>
      },
    },
    {
      key: 'last',
      head: t('pos.registers.last-opened'),
      cell: ({ last_opened: opened }) => (opened === null ? '–' : formatDateTime(new Date(opened), lang)),
    },
  ]
  return (
    <AdminLayout title={t('pos.registers')} back={{ href: '/admin/quick-orders/shifts', label: t('pos.shifts') }}>
      <p className="mb-4 max-w-2xl text-stone">{t('pos.registers.about')}</p>
      <DataTable
        label={t('pos.registers')}
        rows={registers}
        columns={columns}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/admin/quick-orders/registers/${id}`}
        empty={t('pos.registers.none')}
      />
    </AdminLayout>
  )
}
