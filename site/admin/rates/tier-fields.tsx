import { Button } from '#components/button.tsx'
import { useI18n } from '#page/page-context.tsx'
import { FormNumber, FormTaka, useFormField } from '../ui/form.tsx'
import { PlusIcon, TrashIcon } from '../ui/icons.tsx'

export interface TypedTier {
  from_kg: string
  per_kg: string
}

/** The tiers of a rate table. */
export function TierFields() {
  const { t } = useI18n()
  const { value, error, change } = useFormField('tiers')
  const tiers = value as TypedTier[]
  return (
    <div className="grid gap-3">
      {tiers.map((_tier, index) => (
        // Tiers have no names of their own.
        <div key={index} className="flex items-start gap-2">
          <div className="grid grow grid-cols-2 gap-3 sm:max-w-md">
            <FormNumber name={`tiers.${index}.from_kg`} label={t('rates.from-kg')} />
            <FormTaka name={`tiers.${index}.per_kg`} label={t('rates.per-kg')} />
          </div>
          <button
            type="button"
            aria-label={t('rates.remove', { number: index + 1 })}
            title={t('rates.remove', { number: index + 1 })}
            disabled={tiers.length === 1}
            className="mt-7 grid size-12 shrink-0 place-items-center rounded-card text-leaf-800 hover:bg-leaf-100 disabled:text-stone/40"
            onClick={() => change(tiers.filter((_one, at) => at !== index))}
          >
            <TrashIcon size={18} />
          </button>
        </div>
      ))}
      {error ? (
        <p role="alert" className="text-sm font-semibold text-terracotta">
          {error}
        </p>
      ) : null}
      <div>
        <Button kind="secondary" size="small" className="min-h-11" onClick={() => change([...tiers, { from_kg: '', per_kg: '' }])}>
          <PlusIcon size={18} />
          {t('rates.add-tier')}
        </Button>
      </div>
    </div>
  )
}
