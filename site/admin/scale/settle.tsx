import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { showToast } from '#components/toast.tsx'
import type { AnimalOnScale } from '#features/cattle/queries.server.ts'
import { settlementDifference } from '#features/cattle/rules.ts'
import { formatTaka, type Poisha, poisha, takaToPoisha } from '#lib/money.ts'
import { digitsIn, formatKg } from '#lib/numbers.ts'
import { useI18n } from '#site/app-root.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { useRights } from '../ui/use-rights.ts'

/** A weighing that has just been kept. */
export interface KeptWeight {
  kg: number
  on: string
}

interface SettleProps {
  animal: AnimalOnScale
  booking: NonNullable<AnimalOnScale['booking']>
  orderId: number
  kept: KeptWeight
}

/** What the weighing makes of the order that holds the animal: said first, then done. */
export function Settle({ animal, booking, orderId, kept }: SettleProps) {
  const { t, lang } = useI18n()
  const { can } = useRights()
  const [state, setState] = useState<'open' | 'sending' | { done: string }>('open')
  if (!can('orders.write')) return null
  const settle = async () => {
    setState('sending')
    const answer = await adminPost<{ difference: number; due: number }>(`/admin/orders/${orderId}/settle`, { animal_id: animal.id })
    if (!answer.ok) {
      showToast(answer.message ?? t('office.failed'), { kind: 'error' })
      return setState('open')
    }
    const due = takaToPoisha(answer.body.due)
    const rest = t(due < 0 ? 'settle.give-back' : 'settle.due', { amount: formatTaka(poisha(Math.abs(due)), lang) })
    setState({ done: `${t('settle.done', { difference: differs(takaToPoisha(answer.body.difference)) })} ${rest}` })
  }
  const differs = (difference: Poisha) =>
    difference === 0
      ? t('settle.same')
      : t(difference > 0 ? 'settle.more' : 'settle.less', { amount: formatTaka(poisha(Math.abs(difference)), lang) })
  const grams = Math.round(kept.kg * 1000)
  // An older day's weighing, entered late, is not the one that settles.
  const isLatest = animal.weighed_on === null || kept.on >= animal.weighed_on
  return (
    <section className="stitch rounded-card bg-milk p-4">
      <h2 className="text-lg">{t('settle.title', { order: digitsIn(lang, String(orderId)) })}</h2>
      {typeof state === 'object' ? (
        <p role="status" className="mt-2 font-semibold text-leaf-800">
          {state.done}
        </p>
      ) : (
        <>
          {isLatest ? (
            <p className="figures mt-1">
              {t('settle.sum', {
                old: formatKg(booking.grams, lang),
                now: formatKg(grams, lang),
                rate: formatTaka(booking.rate, lang),
                difference: differs(settlementDifference(booking.grams, grams, booking.rate)),
              })}
            </p>
          ) : null}
          <p className="mt-1 text-stone">{t('settle.text')}</p>
          <Button className="mt-3" busy={state === 'sending'} onClick={() => void settle()}>
            {t('settle.do')}
          </Button>
        </>
      )}
      <a href={`/admin/orders/update/${orderId}`} className="mt-3 block w-fit py-2 underline underline-offset-4">
        {t('settle.open')}
      </a>
    </section>
  )
}
