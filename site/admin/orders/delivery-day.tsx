import type { AreaJson } from '#features/catalog/types.ts'
import { chargesOf } from '#features/orders/checkout/checkout-rules.ts'
import { type DeliveryCalendar, planDelivery } from '#features/pricing/delivery-day-rules.ts'
import { formatDay } from '#lib/format/time.ts'
import { weekdayName } from '#lib/format/weekdays.ts'
import { useI18n } from '#page/page-context.tsx'
import { FormText } from '../ui/form.tsx'
import type { AdminFormState } from '../ui/use-form.ts'
import type { NewOrderValues } from './order-values.ts'

/** Days offered as buttons; every other day can be typed. */
const OFFERED_DAYS = 5

interface DeliveryDayProps {
  form: AdminFormState<NewOrderValues>
  /** The list day of an order that is placed now. */
  listOn: string
  calendar: DeliveryCalendar
  areas: readonly AreaJson[]
}

/** The delivery day of a new order. Staff may choose a closed or full day; the hint says so. */
export function DeliveryDay({ form, listOn, calendar, areas }: DeliveryDayProps) {
  const { t, lang } = useI18n()
  const { products, is_collection: isCollection, list_on: chosen, area_id: areaId } = form.values
  const area = chargesOf(areas.find(({ id }) => String(id) === String(areaId)) ?? null)
  const lines = products.flatMap(({ shipping, delivery_on }) =>
    shipping ? [{ deliveryGroup: shipping.group, deliveryOn: delivery_on ?? null }] : [],
  )
  const { days, deliverOn } = planDelivery({ listOn, calendar, area }, { isCollection }, lines)
  const isPossible = chosen === '' || days.length === 0 || days.includes(chosen)
  const name = (day: string) => `${weekdayName(day, lang)}, ${formatDay(day, lang)}`
  const earliest = deliverOn === null ? '' : name(deliverOn)
  return (
    <div className="space-y-2">
      <FormText
        name="list_on"
        label={t(isCollection ? 'admin-orders.collection-day' : 'admin-orders.list-on')}
        hint={isPossible ? t('admin-orders.earliest-day', { day: earliest }) : t('admin-orders.day-unusual')}
        type="date"
        isOptional
      />
      <div className="flex flex-wrap gap-2" role="group" aria-label={t('admin-orders.possible-days')}>
        {days.slice(0, OFFERED_DAYS).map((day) => (
          <button
            key={day}
            type="button"
            aria-pressed={chosen === day}
            className={`btn btn-small ${chosen === day ? 'btn-primary' : 'btn-secondary'}`}
            onClick={() => form.set('list_on', chosen === day ? '' : day)}
          >
            {name(day)}
          </button>
        ))}
      </div>
    </div>
  )
}
