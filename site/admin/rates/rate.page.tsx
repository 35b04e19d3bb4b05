import { APPLY_WAIT_MS, ratePreviewBody } from '#features/cattle/rates/forms.ts'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { showToast } from '#components/toast.tsx'
import type { PricePreview } from '#features/cattle/rates/admin-api.server.ts'
import type { RatedCategory } from '#features/cattle/rates/queries.server.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { RatePreview } from './rate-preview.tsx'
import { type TypedTier, TierFields } from './tier-fields.tsx'
import { adminPost, mayBeSaved, showFailure } from '../ui/admin-post.ts'
import { DeleteButton } from '../ui/delete-button.tsx'
import { FormSection, FormSelect, FormText, AdminForm } from '../ui/form.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { seasonCode, seasonName } from '#features/catalog/season-name.ts'
import { useAdminForm } from '../ui/use-form.ts'

export interface Props {
  categories: RatedCategory[]
  /** Null for a new table. */
  table: { category_id: number; season: string; tiers: TypedTier[] } | null
  /** Hash of the current rates, for the check of conflicts. */
  ratesHash: string
}

interface Values {
  category_id: string
  season: string
  tiers: TypedTier[]
}

/** Edits a rate table: preview the resulting prices, then apply. */
export function Page({ categories, table, ratesHash }: Props) {
  const { t, lang } = useI18n()
  const [preview, setPreview] = useState<PricePreview | null>(null)
  const [isApplying, setApplying] = useState(false)
  const bodyOf = ({ category_id, season, tiers }: Values) => {
    const current = categories.find(({ id }) => String(id) === category_id)?.season ?? ''
    return { category_id: Number(category_id), season: table ? season : seasonCode(t, lang, season, current), tiers }
  }
  const form = useAdminForm({
    id: table ? `rates-${table.category_id}-${table.season}` : 'rates-new',
    initial: table ? { ...table, category_id: String(table.category_id) } : newTable(categories[0]),
    version: ratesHash,
    schema: ratePreviewBody,
    bodyOf,
    save: (values) => adminPost<PricePreview>('/admin/rates/preview', bodyOf(values)),
    isPreview: true,
    onSaved: (answer) => setPreview(answer),
    savedText: t('rates.looked'),
  })

  async function apply(shown: PricePreview) {
    setApplying(true)
    const body = { ...bodyOf(form.values), ratesHash, planHash: shown.planHash }
    const applied = await adminPost<{ changed: number }>('/admin/rates/apply', body, { once: 'rates', timeoutMs: APPLY_WAIT_MS })
    if (applied.ok) {
      // Before the page is left, which asks about unsaved changes.
      flushSync(() => form.accept())
      showToast(t('rates.applied', { count: formatNumber(applied.body.changed, lang) }))
      return location.assign('/admin/rates')
    }
    setApplying(false)
    // Without an answer the rates may be set: the same request again gets the first result.
    if (!mayBeSaved(applied)) setPreview(null)
    showFailure(applied, t)
  }
  const category = categories.find(({ id }) => String(id) === form.values.category_id)
  const name = table ? `${category?.name ?? ''} ${seasonName(t, lang, table.season)}`.trim() : t('rates.new')
  return (
    <AdminLayout
      title={name}
      back={{ href: '/admin/rates', label: t('admin.nav.rates') }}
      actions={
        table ? (
          <DeleteButton
            url={`/admin/rates?${new URLSearchParams({ category_id: String(table.category_id), season: table.season, ratesHash })}`}
            question={t('rates.delete-question', { name })}
            text={t('rates.delete-text')}
            next="/admin/rates"
            attempt="rates"
          />
        ) : null
      }
    >
      <AdminForm form={form} saveLabel={t('rates.look')} cancelHref="/admin/rates">
        {table ? null : (
          <FormSection title={t('rates.for')}>
            <FormSelect
              name="category_id"
              label={t('rates.category')}
              options={categories.map(({ id, name }) => [String(id), name])}
              onChange={(next) => {
                const proposed = categories.find(({ id }) => String(id) === next)?.season ?? ''
                // A season that was typed stays.
                form.set('season', (now) => (now === category?.season ? proposed : now))
              }}
            />
            <FormText name="season" label={t('rates.season')} hint={t('rates.season-hint')} isOptional />
          </FormSection>
        )}
        <FormSection title={t('rates.tiers')} hint={t('rates.tiers-hint')}>
          <TierFields />
        </FormSection>
      </AdminForm>
      <RatePreview preview={preview} isApplying={isApplying} onClose={() => setPreview(null)} onApply={apply} />
    </AdminLayout>
  )
}

/** New rates of a category; of none where no category can have rates. */
function newTable(category: RatedCategory | undefined): Values {
  return { category_id: String(category?.id ?? ''), season: category?.season ?? '', tiers: [{ from_kg: '', per_kg: '' }] }
}
