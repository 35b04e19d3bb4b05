import { useState } from 'react'
import { campaignBody } from '#features/campaigns/forms.ts'
import { campaignParts, campaignSms, type CampaignTexts } from '#features/campaigns/rules.ts'
import type { Recipients } from '#features/campaigns/types.ts'
import type { SmsBudgetJson, SmsProviderJson } from '#features/messaging/types.ts'
import type { QuietHours } from '#features/settings/sms/quiet-rules.ts'
import { smsSize } from '#features/settings/sms/text-rules.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { AdminForm, FormArea, FormNumber, FormSection, FormText, useFormField } from '../ui/form.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { useAdminForm } from '../ui/use-form.ts'
import { CampaignEstimate, RecipientTotals } from './campaign-totals.tsx'

export interface Props {
  /** The query of the list of customers. */
  filter: string
  recipients: Recipients
  /** The part of the day's budget that campaigns may use. */
  budget: SmsBudgetJson
  provider: SmsProviderJson
  quietHours: QuietHours
  sendsEnglish: boolean
  /** A link as long as those of the SMS. */
  link: string
}

const BLANK = { name: '', text_bn: '', text_en: '', parts_limit: '', starts_at: '' }

/** Writes a campaign to the customers of a list: people, text, budget and time. */
export function Page({ filter, recipients, budget, provider, quietHours, sendsEnglish, link }: Props) {
  const { t, lang } = useI18n()
  const { ask, dialog } = useConfirm()
  const [firstBudget] = useState(budget)
  const count = recipients.en + recipients.bn
  const back = `/admin/customers${filter === '' ? '' : `?${filter}`}`
  const partsNeeded = ({ text_bn, text_en }: typeof BLANK) => campaignParts({ bn: text_bn.trim(), en: text_en.trim() }, recipients, link)
  const wordsOf = (values: typeof BLANK) => ({ ...values, parts_limit: values.parts_limit.trim(), query: filter })
  const bodyOf = (values: typeof BLANK) => ({ ...wordsOf(values), count, up_to: recipients.up_to })
  const form = useAdminForm<typeof BLANK, { redirect: string }>({
    id: `campaign-${filter}`,
    initial: BLANK,
    schema: campaignBody,
    bodyOf,
    save: (values) => adminPost('/admin/sms/campaigns', bodyOf(values), { once: 'campaign-new', words: wordsOf(values) }),
    onSaved: (answer) => location.assign(answer.redirect),
    savedText: t('campaigns.started'),
  })
  const parts = partsNeeded(form.values)
  const number = (value: number) => formatNumber(value, lang)
  const question = {
    title: t('campaigns.ask', { count: number(count) }),
    text: t('campaigns.ask-text', { parts: number(parts) }),
    action: t('campaigns.send'),
    kind: 'primary' as const,
  }
  const submit = async () => (count === 0 || parts === 0 || (await ask(question)) ? form.submit() : false)
  return (
    <AdminLayout title={t('campaigns.new')} back={{ href: back, label: t('admin.nav.customers') }}>
      <div className="mb-4 max-w-3xl">
        <RecipientTotals recipients={recipients} />
      </div>
      {count === 0 ? (
        <p className="max-w-3xl rounded-card bg-tag-100 px-3.5 py-2.5 font-semibold">{t('campaigns.error.none')}</p>
      ) : (
        <AdminForm form={{ ...form, submit }} cancelHref={back} saveLabel={t('campaigns.send')}>
          <FormSection title={t('campaigns.message')} hint={t('campaigns.message-hint')}>
            <FormText name="name" label={t('campaigns.name')} hint={t('campaigns.name-hint')} />
            <CampaignText lang="bn" link={link} isOptional={sendsEnglish} />
            {sendsEnglish ? <CampaignText lang="en" link={link} isOptional /> : null}
          </FormSection>
          <FormSection title={t('campaigns.budget')}>
            <CampaignEstimate {...{ parts, provider, quietHours }} budget={firstBudget} />
            <FormNumber name="parts_limit" label={t('campaigns.limit')} hint={t('campaigns.limit-hint')} isOptional />
            <FormText name="starts_at" type="datetime-local" label={t('campaigns.start')} hint={t('campaigns.start-hint')} isOptional />
          </FormSection>
        </AdminForm>
      )}
      {dialog}
    </AdminLayout>
  )
}

interface CampaignTextProps {
  lang: Lang
  link: string
  isOptional: boolean
}

/** A text and the SMS that people get, with its number of parts. */
function CampaignText({ lang, link, isOptional }: CampaignTextProps) {
  const { t } = useI18n()
  const name = `text_${lang}`
  const text = String(useFormField(name).value ?? '').trim() as CampaignTexts[Lang]
  const sms = campaignSms(text, lang, link)
  const { units, parts, encoding } = smsSize(sms)
  const alphabet = t(encoding === 'GSM-7' ? 'sms.compose.plain' : 'sms.compose.bengali')
  return (
    <div>
      <FormArea
        name={name}
        label={t(`campaigns.text-${lang}`)}
        {...(lang === 'en' ? { hint: t('campaigns.text-en-hint') } : {})}
        isOptional={isOptional}
        rows={4}
      />
      {text === '' ? null : (
        <>
          <p lang={lang} className="stitch mt-2 rounded-card bg-sand px-3.5 py-2 text-sm break-words whitespace-pre-line">
            {sms}
          </p>
          <p aria-live="polite" className="tabular-nums mt-1 text-sm text-stone">
            {t('sms.compose.size', { units, parts, alphabet })}
          </p>
        </>
      )}
    </div>
  )
}
