import { Button } from '#components/button.tsx'
import { UNSOLD } from '#features/catalog/products/list-query-rules.ts'
import type { proposedSeason } from '#features/settings/season-rules.ts'
import type { Settings } from '#features/settings/settings.ts'
import type { FinalWeighing } from '#features/settings/sections.ts'
import { useI18n } from '#page/page-context.tsx'
import { FormNumber, FormRow, FormSection, FormText, useFormField } from '../ui/form.tsx'

type Proposed = ReturnType<typeof proposedSeason>

const SEASON_DAYS = [
  ['weighedFrom', null],
  ['weighedTo', null],
  ['deliveryFrom', null],
  ['deliveryTo', 'settings.season.last-day'],
] as const

interface AnimalFieldsProps {
  weighings: FinalWeighing[]
  /** The category of the animals of the season. */
  kurbaniId: number | null
  proposed: Proposed
}

/** Settings for animals: texts of notices, final weighing, and dates of the season. */
export function AnimalFields({ weighings, kurbaniId, proposed }: AnimalFieldsProps) {
  const { t, lang } = useI18n()
  return (
    <>
      <FormSection title={t('settings.notices-animals')}>
        <FormRow>
          <FormText name="meat_yield" label={t('settings.meat-yield')} />
          <FormText name="gain_large" label={t('settings.gain-large')} />
          <FormText name="gain_small" label={t('settings.gain-small')} />
          <FormNumber name="weigh_in_kg_per_day" label={t('settings.weigh-in')} />
        </FormRow>
      </FormSection>
      <FormSection title={t('settings.final-weighing')} hint={t('settings.final-weighing-hint')}>
        <FormRow>
          {weighings.map((category, index) => (
            <FormNumber
              key={category.id}
              name={`final_weighing.${index}.days`}
              label={lang === 'bn' ? category.name_bn : category.name_en}
            />
          ))}
        </FormRow>
      </FormSection>
      <FormSection id="season" title={t('settings.season')}>
        <ProposedDays proposed={proposed} />
        <FormText name="kurbani.season" label={t('settings.season.name')} />
        <FormRow>
          {SEASON_DAYS.map(([key, hint]) => (
            <FormText key={key} type="date" name={`kurbani.${key}`} label={t(`settings.season.${key}`)} hint={hint && t(hint)} />
          ))}
        </FormRow>
        <div className="text-sm text-stone">
          <p>{t('settings.season.first-day')}</p>
          {kurbaniId === null ? null : (
            <a
              href={`/admin/products?kind=animal&category=${kurbaniId}&status=${UNSOLD}`}
              className="inline-flex min-h-11 items-center font-semibold text-leaf-600 underline underline-offset-4"
            >
              {t('settings.season.animals')}
            </a>
          )}
        </div>
      </FormSection>
    </>
  )
}

/** The days of the next Eid, which a press fills in; gone once the fields have them. */
function ProposedDays({ proposed }: { proposed: Proposed }) {
  const { t } = useI18n()
  const { value, change } = useFormField('kurbani')
  const season = value as Settings['kurbani']
  if (!proposed || season.deliveryTo === proposed.days.deliveryTo) return null
  const { eid, days } = proposed
  return (
    <div role="note" className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card bg-tag-100 px-3.5 py-2.5">
      <span className="grow basis-60">{t('settings.season.expected', { eid, from: days.deliveryFrom, to: days.deliveryTo })}</span>
      <Button size="small" kind="secondary" className="min-h-11" onClick={() => change({ ...season, ...days })}>
        {t('settings.season.use')}
      </Button>
    </div>
  )
}
