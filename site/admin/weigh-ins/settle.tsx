import { useState } from 'react'
import { Button } from '#components/button.tsx'
import type { FinalWeighing } from '#features/cattle/settlement/final-weighings.server.ts'
import { settlementDifference } from '#features/cattle/rules.ts'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { formatTaka, type Poisha, poisha, takaToPoisha } from '#lib/format/money.ts'
import { localizeDigits, formatKg } from '#lib/format/numbers.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { formatDay } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { adminPost, failureText, showFailure } from '../ui/admin-post.ts'
import { usePermissions } from '../ui/use-permissions.ts'

interface SettleProps {
  weighing: FinalWeighing
  /** The level of its heading. */
  level?: 2 | 3
  /** Called with the settled order, on its own page. */
  onSettled?: (order: AdminOrder) => void
}

interface Answer {
  difference: number
  due: number
  order: AdminOrder
}

/** The change that a final weigh-in makes to its order, and the button that settles it. */
export function Settle({ weighing, level = 2, onSettled }: SettleProps) {
  const { t, lang } = useI18n()
  const { sendsSms } = usePageContext()
  const { can } = usePermissions()
  const [state, setState] = useState<'open' | 'sending' | { done: string }>('open')
  const { order_id: orderId, weigh_in: weighIn, old_grams: old, rate } = weighing
  if (!weighIn) return null
  const Heading = `h${level}` as const
  const settle = async () => {
    setState('sending')
    const body = { animal_id: weighing.animal_id, weigh_in_id: weighIn.id }
    const answer = await adminPost<Answer>(`/admin/orders/${orderId}/settle`, body)
    if (!answer.ok) {
      showFailure(answer, t)
      const settled = answer.saved?.order
      if (!settled) return setState('open')
      setState({ done: failureText(answer, t) })
      return onSettled?.(settled)
    }
    const done = t('settle.done', { difference: differs(takaToPoisha(answer.body.difference)) })
    const due = takaToPoisha(answer.body.due)
    const rest = t(due < 0 ? 'settle.give-back' : 'settle.due', { amount: size(due) })
    // The order's own page shows the amount due, which later payments change.
    setState({ done: onSettled ? done : `${done} ${rest}` })
    onSettled?.(answer.body.order)
  }
  const size = (amount: Poisha) => formatTaka(poisha(Math.abs(amount)), lang)
  const differs = (difference: Poisha) =>
    difference === 0 ? t('settle.same') : t(difference > 0 ? 'settle.more' : 'settle.less', { amount: size(difference) })
  const heading = () => {
    if (typeof state === 'object') return t('settle.settled-at', { kg: formatKg(weighIn.grams, lang) })
    return onSettled ? t('settle.list-title') : t('settle.title', { order: localizeDigits(lang, String(orderId)) })
  }
  return (
    <section className={`stitch rounded-card p-4 ${onSettled ? 'bg-tag-100' : 'bg-milk'}`}>
      <div className="flex items-start gap-3">
        <div className="grow">
          <Heading className="flex flex-wrap items-baseline gap-x-3 text-lg">
            <span className="ear-tag">{weighing.tag_number}</span>
            {heading()}
          </Heading>
          {onSettled ? null : <p className="text-sm text-stone">{shownName(weighing.customer, lang)}</p>}
        </div>
        <WeighInPhoto url={weighIn.picture_url} tag={weighing.tag_number} />
      </div>
      {typeof state === 'object' ? (
        <p role="status" className="mt-2 font-semibold text-leaf-800">
          {state.done}
        </p>
      ) : (
        <>
          <p className="tabular-nums mt-2">
            {t('settle.sum', {
              old: formatKg(old, lang),
              now: formatKg(weighIn.grams, lang),
              rate: formatTaka(rate, lang),
              difference: differs(settlementDifference(old, weighIn.grams, rate)),
            })}
          </p>
          <p className="text-sm text-stone">
            {t('settle.weighed', {
              day: formatDay(weighIn.on, lang),
              name: weighIn.by,
              method: t(`product.method.${weighIn.method}`),
            })}
          </p>
          {can('orders.write') ? (
            <>
              <p className="mt-2 text-sm text-stone">{t('settle.text', { sms: sendsSms })}</p>
              <Button
                className="mt-3"
                busy={state === 'sending'}
                onClick={() => void settle()}
                aria-label={t('settle.do-of', { tag: weighing.tag_number, order: localizeDigits(lang, String(orderId)) })}
              >
                {t('settle.do')}
              </Button>
            </>
          ) : null}
        </>
      )}
      {onSettled || !can('orders.read') ? null : (
        <a href={`/admin/orders/update/${orderId}`} className="mt-2 block w-fit py-2 underline underline-offset-4">
          {t('settle.open')}
        </a>
      )}
    </section>
  )
}

/** The photo of a weigh-in, small; a press opens it. */
export function WeighInPhoto({ url, tag }: { url: string | null; tag: string }) {
  const { t } = useI18n()
  if (url === null) return null
  return (
    <a href={url} target="_blank" rel="noopener" className="tap shrink-0">
      <img
        src={url}
        alt={t('weigh.photo-of', { tag })}
        width={64}
        height={48}
        loading="lazy"
        className="h-12 w-16 rounded-tag object-cover"
      />
    </a>
  )
}
