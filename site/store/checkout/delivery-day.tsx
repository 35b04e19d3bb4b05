import { SelectField } from '#components/field.tsx'
import { formatWeekday } from '#lib/format/weekdays.ts'
import { useI18n } from '#page/page-context.tsx'
import type { Checkout } from './use-checkout.ts'

/** The choice of the day: of the delivery, of the first of two, or of collection. The first option is the earliest possible day. */
export function DeliveryDay({ checkout: { quote, draft, change } }: { checkout: Checkout }) {
  const { t, lang } = useI18n()
  const [earliest, ...later] = quote.days
  if (earliest === undefined) return <p className="font-semibold text-terracotta">{t('refusal.no-delivery-day')}</p>
  const label = quote.isCollection ? 'delivery.collect-day' : quote.deliveries === 2 ? 'delivery.first-day' : 'delivery.day'
  return (
    <SelectField
      id="delivery_on"
      label={t(label)}
      value={draft.deliveryOn ?? ''}
      onChange={(event) => change({ deliveryOn: event.target.value || null })}
    >
      <option value="">{t('delivery.earliest', { day: formatWeekday(earliest, lang) })}</option>
      {/* A draft may hold the earliest day as its choice. */}
      {draft.deliveryOn === earliest ? <option value={earliest}>{formatWeekday(earliest, lang)}</option> : null}
      {later.map((day) => (
        <option key={day} value={day}>
          {formatWeekday(day, lang)}
        </option>
      ))}
    </SelectField>
  )
}
