import type { FinalWeighing } from '#features/settings/sections.ts'
import { useI18n } from '#page/page-context.tsx'
import { FormNumber, FormRow, FormSection, FormText } from '../ui/form.tsx'

/** Settings for animals: texts of notices, final weighing, and dates of the season. */
export function AnimalFields({ weighings }: { weighings: FinalWeighing[] }) {
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
      <FormSection title={t('settings.season')}>
        <FormText name="kurbani.season" label={t('settings.season.name')} />
        <FormRow>
          {(['weighedFrom', 'weighedTo', 'deliveryFrom', 'deliveryTo'] as const).map((key) => (
            <FormText key={key} type="date" name={`kurbani.${key}`} label={t(`settings.season.${key}`)} />
          ))}
        </FormRow>
      </FormSection>
    </>
  )
}
