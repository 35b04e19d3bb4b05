import { useState } from 'react'
import { Button } from '#components/button.tsx'
import type { AnimalWeighIn, ScaleAnimal } from '#features/cattle/queries.server.ts'
import { formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { TrashIcon } from '../ui/icons.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { kilograms } from './animal-line.tsx'
import { WeighInPhoto } from './settle.tsx'

/** The weigh-ins of an animal. One that was recorded for another animal or day is deleted here, unless an order was settled by it. */
export function History({ animal, history }: { animal: ScaleAnimal; history: AnimalWeighIn[] }) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const { ask, dialog } = useConfirm()
  const [isBusy, setBusy] = useState(false)
  if (history.length === 0) return null
  const wordsOf = (one: AnimalWeighIn) => ({ kg: kilograms(one.kg, lang), day: formatDay(one.weighed_on, lang) })
  async function remove(one: AnimalWeighIn) {
    if (!(await ask({ title: t('weigh.delete-title', wordsOf(one)), text: t('weigh.delete-text'), action: t('admin.delete') }))) return
    setBusy(true)
    const deleted = await adminPost(`/admin/animals/${animal.id}/weigh-ins/${one.id}`, undefined, { method: 'DELETE' })
    if (deleted.ok) return location.assign(`?animal=${animal.id}`)
    setBusy(false)
    showFailure(deleted, t)
  }
  const columns: Column<AnimalWeighIn>[] = [
    { key: 'day', head: t('weigh.day'), lead: true, cell: (one) => formatDay(one.weighed_on, lang) },
    { key: 'weight', head: t('weigh.weight'), align: 'end', cell: (one) => kilograms(one.kg, lang) },
    { key: 'method', head: t('weigh.method'), cell: (one) => t(`product.method.${one.method}`) },
    { key: 'by', head: t('weigh.by'), cell: (one) => one.weighed_by },
  ]
  if (history.some((one) => one.picture_url !== null))
    columns.push({
      key: 'photo',
      head: t('weigh.photo'),
      cell: (one) => <WeighInPhoto url={one.picture_url} tag={animal.tag_number} />,
    })
  if (can('weighins.write') && history.length > 1)
    columns.push({
      key: 'delete',
      head: t('admin.table.actions'),
      cell: (one) =>
        one.is_settled ? null : (
          <Button
            size="small"
            kind="quiet"
            aria-label={t('weigh.delete-of', wordsOf(one))}
            disabled={isBusy}
            onClick={() => void remove(one)}
          >
            <TrashIcon size={18} />
          </Button>
        ),
    })
  return (
    <section>
      <h2 className="mb-2 text-lg">{t('weigh.of-animal')}</h2>
      <DataTable label={t('weigh.of-animal')} rows={history} columns={columns} rowKey={(one) => one.id} />
      {dialog}
    </section>
  )
}
