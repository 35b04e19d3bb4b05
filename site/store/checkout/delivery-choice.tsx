import { arrivalDate } from '#features/pricing/delivery-plan-rules.ts'
import { formatTaka } from '#lib/format/money.ts'
import { formatLongDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { DeliveryDay } from './delivery-day.tsx'
import type { Checkout } from './use-checkout.ts'

/** One delivery or two, where the products of the cart have different dates; nothing otherwise. */
export function DeliveryChoice({ checkout }: { checkout: Checkout }) {
  const { t, lang } = useI18n()
  const { quote, lines, listDay, change, area } = checkout
  const { split } = quote
  if (split === null) return null
  const [first, last] = split.dates
  const namesOn = (day: string) =>
    lines
      .filter((line) => !line.gone && arrivalDate(quote.listOn ?? listDay.on, line.deliveryDate, last, split.dates) === day)
      .map((line) => line.item.productName)
      .join(', ')
  const option = (deliveries: 1 | 2, title: string, charge: string, texts: string[]) => (
    <label
      className={`flex items-start gap-3 rounded-card border px-3.5 py-3 ${quote.deliveries === deliveries ? 'border-leaf-600 bg-leaf-100/60 ring-1 ring-leaf-600' : 'border-stone/40 bg-white'}`}
    >
      <input
        type="radio"
        name="deliveries"
        value={deliveries}
        checked={quote.deliveries === deliveries}
        onChange={() => change({ deliveries, deliveryOn: null })}
        className="mt-1 size-5 shrink-0 accent-leaf-600"
      />
      <span className="min-w-0 grow">
        <span className="flex flex-wrap items-baseline justify-between gap-x-3 font-semibold">
          <span>{title}</span>
          <span className="tabular-nums whitespace-nowrap">{charge}</span>
        </span>
        {texts.map((text) => (
          <span key={text} className="block text-sm break-words text-stone">
            {text}
          </span>
        ))}
      </span>
    </label>
  )
  const charge = (amount: typeof split.oneCharge) =>
    amount === 0 ? (area || quote.isCollection ? t('summary.free') : '—') : formatTaka(amount, lang)
  const day = (on: string) => formatLongDay(on, lang)
  return (
    <fieldset className="rounded-card border border-line bg-milk p-4 sm:p-6">
      <legend className="float-left mb-2 w-full p-0 text-lg font-semibold">{t('delivery.title')}</legend>
      <div className="clear-both space-y-2">
        {quote.isSplitOnly ? null : option(1, t('delivery.one'), charge(split.oneCharge), [t('delivery.all-on', { day: day(last) })])}
        {option(2, t('delivery.two'), charge(split.twoCharge), [
          t('delivery.part-on', { day: day(first), goods: namesOn(first) }),
          t('delivery.part-on', { day: day(last), goods: namesOn(last) }),
        ])}
        <DeliveryDay checkout={checkout} />
      </div>
    </fieldset>
  )
}
