import { MoonIcon, ScaleIcon } from '#components/icons.tsx'
import type { FreshLine } from '#features/cart/fresh-rules.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatHour, formatLongDay, formatLongDays } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import type { Checkout, CheckoutShop } from './use-checkout.ts'

/** The delivery date of the cart: with the cut-off time where it decides, else with the date of its products. */
export function DeliveryNotice({ checkout: { shop, quote, listDay, step, lines } }: { checkout: Checkout }) {
  const { t, lang } = useI18n()
  const dates = quote.deliveries === 2 && quote.split ? quote.split.dates : [quote.deliverOn ?? listDay.on]
  const day = formatLongDays(dates, lang)
  const isByCutoff = dates.at(-1) === listDay.on
  const text = quote.isCollection
    ? t('notice.collect', { day })
    : !isByCutoff
      ? t('notice.delivery', { day })
      : listDay.isLate
        ? t('notice.list-day-late', { day })
        : t('notice.list-day', { day, hour: formatHour(shop.cutoffHour, lang) })
  // Products that are not loaded yet may have a later date.
  const isKnown = lines.every((line) => line.status)
  const isCart = isKnown && step === 'cart'
  return (
    <div className="stitch rounded-card bg-milk px-4 py-3 text-leaf-800">
      <p className="flex items-start gap-2.5">
        <MoonIcon size={20} className="mt-1 shrink-0" />
        <span>
          <span lang="bn" className="block font-semibold">
            {t('notice.cutoff', { hour: formatHour(shop.cutoffHour, 'bn') })}
          </span>
          <span className="block text-sm text-ink">{isKnown ? text : '…'}</span>
          {isCart && quote.days.length > 1 ? <span className="block text-sm text-ink">{t('notice.choose-day')}</span> : null}
          {isCart && quote.split && quote.deliveries !== 2 ? (
            <span className="block text-sm text-ink">{t('notice.split', { day: formatLongDay(quote.split.dates[0], lang) })}</span>
          ) : null}
        </span>
      </p>
    </div>
  )
}

/** Notice about live weights for buyers of animals; nothing for other carts. */
export function WeighingNotice({ shop, lines }: { shop: CheckoutShop; lines: FreshLine[] }) {
  const { t, lang } = useI18n()
  const cattle = lines.filter((line) => line.item.deliveryGroup === 'cattle')
  if (cattle.length === 0) return null
  // The first category is its own, whose days count.
  const days = cattle.filter((line) => line.rate).flatMap(({ item }) => shop.weighings[item.categories[0]?.id ?? 0] ?? [])
  const d = (text: string) => localizeDigits(lang, text)
  return (
    <section aria-labelledby="weighing-title" className="rounded-card border border-line bg-milk p-4 sm:p-5">
      <h2 id="weighing-title" className="flex items-center gap-2 text-lg">
        <ScaleIcon /> {t('notice.weighing-title')}
      </h2>
      <ul className="mt-2 list-disc space-y-1 ps-5">
        {days.length > 0 ? <li>{t('notice.weighing', { days: d(String(Math.max(...days))) })}</li> : null}
        <li>{t('notice.gain', { large: d(shop.gainLarge), small: d(shop.gainSmall) })}</li>
        <li>{t('notice.yield', { yield: d(shop.meatYield) })}</li>
      </ul>
    </section>
  )
}
