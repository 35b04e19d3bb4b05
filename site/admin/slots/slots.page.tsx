import { ButtonLink } from '#components/button.tsx'
import type { SlotItem } from '#features/catalog/slots/queries.server.ts'
import { useI18n } from '#page/page-context.tsx'
import { useDragOrder } from '../ui/drag-order.ts'
import { EmptyList } from '../ui/empty-list.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { DragHandle, MoveButtons } from '../ui/move-buttons.tsx'
import { useSortOrder } from '../ui/use-sort-order.ts'
import { usePermissions } from '../ui/use-permissions.ts'
import { PlusIcon } from '../ui/icons.tsx'

export interface Props {
  slots: SlotItem[]
}

/** The slots of the home page, from the top. */
export function Page({ slots }: Props) {
  const { t } = useI18n()
  const { can } = usePermissions()
  const canWrite = can('catalog.write')
  const { rows, move } = useSortOrder(slots, '/admin/slots/reorder')
  const { list, handleOf, rowOf } = useDragOrder<HTMLOListElement>(move)
  return (
    <AdminLayout
      title={t('admin.nav.slots')}
      actions={
        canWrite ? (
          <ButtonLink href="/admin/slots/create">
            <PlusIcon size={18} />
            {t('slots.add')}
          </ButtonLink>
        ) : null
      }
    >
      <p className="mb-3 max-w-prose text-sm text-stone">{t('slots.about')}</p>
      {rows.length === 0 ? (
        <div className="admin-card px-4 py-10 text-center text-stone">
          <EmptyList text={t('slots.empty')} action={canWrite ? { href: '/admin/slots/create', label: t('slots.add') } : null} />
        </div>
      ) : null}
      <ol ref={list} aria-label={t('admin.nav.slots')} className={rows.length === 0 ? 'hidden' : 'admin-card max-w-3xl overflow-x-clip'}>
        {rows.map((slot, index) => (
          <li
            key={slot.id}
            data-id={slot.id}
            {...rowOf(index)}
            className="flex min-h-13 items-center gap-1 border-b border-line ps-1 pe-2 last:border-b-0"
          >
            {canWrite ? <DragHandle {...handleOf(index)} /> : <span className="ps-3" />}
            <span className="flex min-w-0 grow flex-wrap items-center gap-x-3 py-1">
              <a href={`/admin/slots/${slot.id}`} className="py-1.5 font-semibold text-leaf-800 wrap-anywhere hover:underline">
                {slot.name}
              </a>
              <span className="tabular-nums text-sm text-stone">{t('slots.count', { count: slot.products })}</span>
              {slot.left_out > 0 ? <span className="text-sm text-terracotta">{t('slots.left-out', { count: slot.left_out })}</span> : null}
              {slot.active ? null : <span className="chip chip-stone">{t('slots.off')}</span>}
            </span>
            {canWrite ? <MoveButtons name={slot.name} index={index} count={rows.length} onMove={move} /> : null}
          </li>
        ))}
      </ol>
    </AdminLayout>
  )
}
