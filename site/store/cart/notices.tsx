import { useEffect, useState } from 'react'
import { MoonIcon, ScaleIcon } from '#components/icons.tsx'
import type { FreshLine } from '#features/cart/fresh-rules.ts'
import { listDate } from '#features/orders/rules.ts'
import { digitsIn } from '#lib/numbers.ts'
import { bengaliHour, dhakaDate, formatLongDay } from '#lib/time.ts'
import { useI18n } from '#site/app-root.tsx'
import type { CheckoutShop } from './use-checkout.ts'

const TICK_MS = 10_000

/** The server's time, going on with the browser's clock; a wrong clock in a phone does no harm. */
function useShopClock(serverNow: string): Date {
  const [now, setNow] = useState(() => new Date(serverNow))
  useEffect(() => {
    const ahead = Date.parse(serverNow) - Date.now()
    const timer = setInterval(() => setNow(new Date(Date.now() + ahead)), TICK_MS)
    return () => clearInterval(timer)
  }, [serverNow])
  return now
}

/** Until when an order counts for tomorrow's list (nine in the evening, unless the settings say otherwise), and what it means at this moment. */
export function CutoffNotice({ shop }: { shop: CheckoutShop }) {
  const { t, lang } = useI18n()
  const now = useShopClock(shop.now)
  const on = listDate(now, shop.cutoffHour)
  const isLate = Date.parse(on) - Date.parse(dhakaDate(now)) > 86_400_000
  return (
    <div className="stitch rounded-card bg-milk px-4 py-3 text-leaf-800">
      <p className="flex items-start gap-2.5">
        <MoonIcon size={20} className="mt-1 shrink-0" />
        <span>
          <span lang="bn" className="block font-semibold">
            {t('notice.cutoff', { hour: bengaliHour(shop.cutoffHour) })}
          </span>
          <span className="block text-sm text-ink">
            {t(isLate ? 'notice.list-day-late' : 'notice.list-day', { day: formatLongDay(on, lang) })}
          </span>
        </span>
      </p>
    </div>
  )
}

/** What everybody who buys an animal must know; nothing for a cart of fruit. */
export function WeighingNotice({ shop, lines }: { shop: CheckoutShop; lines: FreshLine[] }) {
  const { t, lang } = useI18n()
  const cattle = lines.filter((line) => line.item.deliveryGroup === 'cattle')
  if (cattle.length === 0) return null
  const days = cattle.flatMap((line) => line.item.categories.flatMap((category) => shop.weighings[category.id] ?? []))
  const d = (text: string) => digitsIn(lang, text)
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
