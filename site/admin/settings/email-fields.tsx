import { useI18n } from '#page/page-context.tsx'
import { FormArea, FormSection } from '../ui/form.tsx'

/** Whether email is set up, and the addresses of alarms. The server's settings hold the rest. */
export function EmailFields({ isConfigured }: { isConfigured: boolean }) {
  const { t } = useI18n()
  return (
    <FormSection title={t('settings.part.email')} hint={t(isConfigured ? 'settings.email-on' : 'settings.email-off')}>
      <FormArea name="alarm_emails" label={t('settings.alarm-emails')} hint={t('settings.alarm-emails-hint')} isOptional />
    </FormSection>
  )
}
