import { useI18n } from '#page/page-context.tsx'
import { FormArea, FormCheckbox, FormNumber, FormRow, FormSection } from '../ui/form.tsx'
import { FormWeekdays } from '../ui/weekdays-field.tsx'

/** The days that shoppers choose from, and collection at the farm. */
export function DeliveryFields() {
  const { t } = useI18n()
  return (
    <>
      <FormSection title={t('settings.delivery-days')}>
        <FormNumber name="delivery_days.ahead" label={t('settings.days-ahead')} hint={t('settings.days-ahead-hint')} />
        <FormWeekdays name="delivery_days.closed_weekdays" label={t('settings.closed-weekdays')} ticks="closed" />
        <FormRow>
          <FormNumber name="delivery_days.capacity.produce" label={t('settings.capacity-produce')} hint={t('settings.capacity-hint')} />
          <FormNumber name="delivery_days.capacity.cattle" label={t('settings.capacity-cattle')} />
        </FormRow>
      </FormSection>
      <FormSection title={t('settings.collection')}>
        <FormCheckbox name="collection.is_offered" label={t('settings.collection-offered')} hint={t('settings.collection-hint')} />
        {(['address', 'note'] as const).map((field) => (
          <FormRow key={field}>
            <FormArea name={`collection.${field}.en`} label={`${t(`settings.collection-${field}`)} ${t('settings.in-en')}`} rows={2} />
            <FormArea name={`collection.${field}.bn`} label={`${t(`settings.collection-${field}`)} ${t('settings.in-bn')}`} rows={2} />
          </FormRow>
        ))}
      </FormSection>
    </>
  )
}
