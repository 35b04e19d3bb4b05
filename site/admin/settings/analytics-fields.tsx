import { useI18n } from '#page/page-context.tsx'
import { FormRow, FormSection, FormText } from '../ui/form.tsx'

/** The ids of the services that measure visits. */
export function AnalyticsFields() {
  const { t } = useI18n()
  return (
    <FormSection title={t('settings.part.analytics')} hint={t('settings.analytics-hint')}>
      <FormRow>
        <FormText name="analytics.pixel_id" label={t('settings.pixel-id')} inputMode="numeric" isOptional />
        <FormText name="analytics.ga4_id" label={t('settings.ga4-id')} isOptional />
      </FormRow>
    </FormSection>
  )
}
