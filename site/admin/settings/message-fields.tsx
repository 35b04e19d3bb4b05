import { fillSms, smsSize } from '#features/settings/sms/text-rules.ts'
import { longestValues, SMS_FIELDS, SMS_TEMPLATES, type SmsTemplate, templateProblems } from '#features/settings/sms/template-rules.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { useI18n } from '#page/page-context.tsx'
import { FormArea, FormNumber, FormRow, FormSection, FormCheckbox, useFormField } from '../ui/form.tsx'

/** SMS templates in both languages, with their variables and number of parts. */
export function MessageFields() {
  const { t } = useI18n()
  return (
    <>
      <FormSection title={t('settings.sms-language')}>
        <FormCheckbox name="sms_english" label={t('settings.sms-english')} hint={t('settings.sms-english-hint')} />
      </FormSection>
      <FormSection title={t('settings.sms-budget')} hint={t('settings.sms-budget-hint')}>
        <FormRow>
          <FormNumber name="sms_daily_limit" label={t('settings.sms-daily-limit')} />
        </FormRow>
      </FormSection>
      <FormSection title={t('settings.message.deliveryTomorrow')}>
        <FormCheckbox name="delivery_sms.automatic" label={t('settings.delivery-automatic')} hint={t('settings.delivery-automatic-hint')} />
        <FormRow>
          <FormNumber name="delivery_sms.hour" label={t('settings.delivery-hour')} />
        </FormRow>
      </FormSection>
      <FormSection title={t('settings.quiet')} hint={t('settings.quiet-hint')}>
        <FormRow>
          <FormNumber name="quiet_hours.from" label={t('settings.quiet-from')} />
          <FormNumber name="quiet_hours.to" label={t('settings.quiet-to')} />
        </FormRow>
      </FormSection>
      {SMS_TEMPLATES.map((template) => (
        <FormSection
          key={template}
          title={t(`settings.message.${template}`)}
          hint={t('settings.fields', { fields: SMS_FIELDS[template].map((field) => `{${field}}`).join(' ') })}
        >
          <MessageField template={template} lang="bn" />
          <MessageField template={template} lang="en" />
        </FormSection>
      ))}
    </>
  )
}

function MessageField({ template, lang }: { template: SmsTemplate; lang: Lang }) {
  const { t } = useI18n()
  const name = `messages.${template}.${lang}`
  const { value, error } = useFormField(name)
  const text = String(value ?? '')
  const { units, parts, encoding } = smsSize(fillSms(text, longestValues(lang), lang))
  const problems = templateProblems(template, text, lang)
  const unknown = problems.flatMap((one) => (one.kind === 'unknown-field' ? [`{${one.field}}`] : []))
  const problem =
    unknown.length > 0
      ? t('settings.unknown-fields', { fields: unknown.join(' ') })
      : problems[0]
        ? t(`settings.template.${problems[0].kind}`)
        : null
  return (
    <div>
      <FormArea name={name} label={t(`settings.in-${lang}`)} rows={3} />
      {problem === null ? (
        <p className="mt-1 text-sm text-stone">{t('settings.sms-size', { units, parts, encoding })}</p>
      ) : error && unknown.length === 0 ? null : (
        <p className="mt-1 text-sm font-semibold text-terracotta">{problem}</p>
      )}
    </div>
  )
}
