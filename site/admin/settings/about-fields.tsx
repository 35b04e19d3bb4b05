import type { ReactNode } from 'react'
import { useI18n } from '#page/page-context.tsx'
import { FormArea, FormRow, FormSection, FormText } from '../ui/form.tsx'

/** What makes a shop trustworthy: trade licence, certificates, and where it is. */
export function AboutFields({ certificates }: { certificates: ReactNode }) {
  const { t } = useI18n()
  return (
    <>
      <FormSection title={t('settings.part.about')} hint={t('settings.about-hint')}>
        <FormText name="trade_licence" label={t('settings.trade-licence')} hint={t('settings.trade-licence-hint')} isOptional />
        <FormText name="map_url" label={t('settings.map-url')} hint={t('settings.map-url-hint')} inputMode="url" isOptional />
      </FormSection>
      <FormSection title={t('settings.certificates')}>
        <FormRow>
          <FormArea name="certificates_text.en" label={`${t('settings.certificates-text')} ${t('settings.in-en')}`} isOptional />
          <FormArea name="certificates_text.bn" label={`${t('settings.certificates-text')} ${t('settings.in-bn')}`} isOptional />
        </FormRow>
        {certificates}
      </FormSection>
    </>
  )
}
