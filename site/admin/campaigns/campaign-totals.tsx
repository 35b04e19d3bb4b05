import type { ReactNode } from 'react'
import type { Recipients } from '#features/campaigns/types.ts'
import type { SmsBudgetJson, SmsProviderJson } from '#features/messaging/types.ts'
import type { QuietHours } from '#features/settings/sms/quiet-rules.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { formatHour } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { Figure } from '../ui/figure.tsx'

/** The number of recipients, and of customers left out. */
export function RecipientTotals({ recipients: { found, en, bn, opted_out, closed } }: { recipients: Recipients }) {
  const { t, lang } = useI18n()
  const number = (value: number) => formatNumber(value, lang)
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-4">
      <Figure name={t('campaigns.people')} note={t('campaigns.by-language', { bn: number(bn), en: number(en) })}>
        {number(en + bn)}
      </Figure>
      <Figure name={t('campaigns.found')}>{number(found)}</Figure>
      <Figure name={t('campaigns.opted-out')}>{number(opted_out)}</Figure>
      <Figure name={t('campaigns.closed')}>{number(closed)}</Figure>
    </dl>
  )
}

interface CampaignEstimateProps {
  parts: number
  budget: SmsBudgetJson
  provider: SmsProviderJson
  quietHours: QuietHours
}

/** What the campaign needs, and what today's budget and the balance have left. */
export function CampaignEstimate({ parts, budget, provider, quietHours }: CampaignEstimateProps) {
  const { t, lang } = useI18n()
  const number = (value: number) => formatNumber(value, lang)
  const left = Math.max(0, budget.limit - budget.sent)
  const days = 1 + Math.ceil(Math.max(0, parts - left) / Math.max(1, budget.limit))
  return (
    <div className="space-y-2">
      <dl className="divide-y divide-line border-y border-line">
        <EstimateRow name={t('campaigns.parts-needed')} note={days > 1 ? t('campaigns.days', { days: number(days) }) : null}>
          {number(parts)}
        </EstimateRow>
        <EstimateRow name={t('campaigns.left-today')} note={t('campaigns.left-of', { limit: number(budget.limit) })}>
          {number(left)}
        </EstimateRow>
        <EstimateRow name={t('sms.balance')}>
          {provider.balance === null ? t('sms.balance.never') : formatTaka(takaToPoisha(provider.balance), lang)}
        </EstimateRow>
      </dl>
      {quietHours.from === quietHours.to ? null : (
        <p className="text-sm text-stone">
          {t('campaigns.quiet', { from: formatHour(quietHours.from, lang), to: formatHour(quietHours.to, lang) })}
        </p>
      )}
    </div>
  )
}

function EstimateRow({ name, note, children }: { name: string; note?: string | null; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-3 py-2">
      <dt>
        {name}
        {note ? <span className="block text-sm text-stone">{note}</span> : null}
      </dt>
      <dd className="tabular-nums text-end font-semibold">{children}</dd>
    </div>
  )
}
