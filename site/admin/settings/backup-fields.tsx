import { useI18n } from '#page/page-context.tsx'
import { FormNumber, FormRow, FormSection } from '../ui/form.tsx'

/** Settings of the nightly backup. */
export function BackupFields() {
  const { t } = useI18n()
  return (
    <FormSection title={t('settings.part.backup')} hint={t('settings.backup-hint')}>
      <FormRow>
        <FormNumber name="backup.hour" label={t('settings.backup-hour')} />
        <FormNumber name="backup.daily" label={t('settings.backup-daily')} />
        <FormNumber name="backup.weekly" label={t('settings.backup-weekly')} />
        <FormNumber name="backup.monthly" label={t('settings.backup-monthly')} />
      </FormRow>
    </FormSection>
  )
}
