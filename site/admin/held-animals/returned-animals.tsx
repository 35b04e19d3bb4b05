import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { SelectField, TextField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import { EarTag } from '#features/catalog/ui/ear-tag.tsx'
import type { ReleaseOutcome, ReturnedAnimal } from '#features/orders/status/returned-animals.server.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { TEXT_LIMIT } from '#lib/format/text.ts'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { usePreservedState } from '../ui/use-preserved-state.ts'
import { usePermissions } from '../ui/use-permissions.ts'

const OUTCOMES = ['healthy', 'ill', 'not-for-sale'] as const satisfies ReleaseOutcome[]

/** Returned animals on hold. Staff with the permission put them on sale or keep the hold. */
export function ReturnedAnimals({ animals: first }: { animals: ReturnedAnimal[] }) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const [animals, setAnimals] = useState(first)
  const [open, setOpen] = useState<ReturnedAnimal | null>(null)
  const columns: Column<ReturnedAnimal>[] = [
    {
      key: 'animal',
      head: t('returned.animal'),
      lead: true,
      cell: (row) => (
        <>
          {row.tag ? <EarTag number={row.tag} /> : null} {row.name}
        </>
      ),
    },
    {
      key: 'order',
      head: t('admin-orders.order'),
      cell: (row) => (
        <a href={`/admin/orders/update/${row.order_id}`} className="tap tabular-nums font-semibold text-leaf-800 hover:underline">
          {localizeDigits(lang, String(row.order_id))}
        </a>
      ),
    },
    { key: 'since', head: t('returned.since'), cell: (row) => formatDateTime(new Date(row.returned_at), lang) },
    { key: 'reason', head: t('returned.reason'), cell: (row) => row.reason },
    {
      key: 'state',
      head: t('returned.state'),
      cell: (row) =>
        row.is_ill ? (
          <span className="text-terracotta">
            {t('returned.ill')} · {row.note}
          </span>
        ) : (
          t('returned.waiting')
        ),
    },
    ...(can('catalog.write')
      ? [
          {
            key: 'do',
            head: t('admin.table.actions'),
            cell: (row: ReturnedAnimal) => (
              <Button
                size="small"
                kind="secondary"
                onClick={() => setOpen(row)}
                aria-label={t('returned.do-of', { tag: row.tag || row.name })}
              >
                {t('returned.do')}
              </Button>
            ),
          },
        ]
      : []),
  ]
  return (
    <section id="returned" className="mt-8 scroll-mt-24">
      <h2 className="mb-3 text-lg">{t('returned.title')}</h2>
      <DataTable
        label={t('returned.title')}
        rows={animals}
        columns={columns}
        rowKey={(row) => row.id}
        rowHref={(row) => `/admin/products/${row.id}`}
        empty={t('returned.empty')}
      />
      {open ? <ReleaseDialog key={open.id} animal={open} close={() => setOpen(null)} onDecided={setAnimals} /> : null}
    </section>
  )
}

interface ReleaseDialogProps {
  animal: ReturnedAnimal
  close: () => void
  onDecided: (animals: ReturnedAnimal[]) => void
}

function ReleaseDialog({ animal, close, onDecided }: ReleaseDialogProps) {
  const { t } = useI18n()
  const { id, version } = animal
  const [typed, setTyped, reset, moveTo] = usePreservedState(`release-${id}`, { outcome: '', reason: '' }, version)
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const [isBusy, setBusy] = useState(false)
  const tag = animal.tag || animal.name
  async function save() {
    setBusy(true)
    const options = { once: `release-${id}-${version}` }
    const written = await adminPost<{ returned: ReturnedAnimal[] }>(`/admin/animals/${id}/release`, { ...typed, version }, options)
    setBusy(false)
    if (!written.ok) {
      // A conflict: the animals as they are now. What was typed waits for the next try.
      if (written.saved?.returned) {
        const same = written.saved.returned.find((one) => one.id === id)
        if (same) moveTo(same.version)
        onDecided(written.saved.returned)
        close()
      }
      setErrors(written.errors)
      if (Object.keys(written.errors).length === 0) showFailure(written, t)
      return
    }
    reset()
    onDecided(written.body.returned)
    const healthy = animal.is_shown ? 'returned.healthy-done' : 'returned.healthy-hidden'
    const done = { healthy, ill: 'returned.ill-done', 'not-for-sale': 'returned.not-for-sale-done' } as const
    showToast(t(done[typed.outcome as ReleaseOutcome], { tag }))
    close()
  }
  return (
    <Dialog
      open
      onClose={close}
      closeLabel={t('admin.close')}
      title={t('returned.do-of', { tag })}
      actions={
        <>
          <Button kind="secondary" onClick={close}>
            {t('admin.cancel')}
          </Button>
          <Button busy={isBusy} onClick={save}>
            {t('returned.save')}
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        <SelectField
          label={t('returned.outcome')}
          value={typed.outcome}
          error={errors.outcome?.[0]}
          onChange={(event) => setTyped({ ...typed, outcome: event.target.value })}
        >
          <option value="">{t('returned.choose')}</option>
          {OUTCOMES.map((outcome) => (
            <option key={outcome} value={outcome}>
              {t(outcome === 'ill' ? 'returned.stays-ill' : `returned.${outcome}`)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('returned.note')}
          value={typed.reason}
          error={errors.reason?.[0]}
          maxLength={TEXT_LIMIT}
          required
          onChange={(event) => setTyped({ ...typed, reason: event.target.value })}
        />
      </div>
    </Dialog>
  )
}
