import type { FinalWeighing } from '#features/cattle/settlement/final-weighings.server.ts'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { isEditable } from '#features/orders/rules.ts'
import { formatKg } from '#lib/format/numbers.ts'
import { formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { Settle } from '../weigh-ins/settle.tsx'
import { usePermissions } from '../ui/use-permissions.ts'

interface OrderWeighingsProps {
  order: AdminOrder
  /** The final weighings when the page was loaded. */
  weighings: FinalWeighing[]
}

/** The weighings that the order still waits for: none once it was cancelled, or the animal was removed or came back. */
function openWeighings({ order, weighings }: OrderWeighingsProps): FinalWeighing[] {
  if (!isEditable(order.status)) return []
  return weighings.filter(({ animal_id }) => order.lines.some(({ product_id, returned }) => product_id === animal_id && returned === 0))
}

/** Final weighings of an order's animals, each with its settle button. */
export function UnsettledWeighings({ onSettled, ...props }: OrderWeighingsProps & { onSettled: (order: AdminOrder) => void }) {
  const unsettled = openWeighings(props).filter(({ state }) => state === 'to-settle')
  return unsettled.length === 0 ? null : (
    <div className="mb-4 grid gap-3">
      {unsettled.map((weighing) => (
        <Settle key={weighing.animal_id} weighing={weighing} onSettled={onSettled} />
      ))}
    </div>
  )
}

/** The final weighing of each other animal of an order: due or settled. */
export function OrderWeighings(props: OrderWeighingsProps) {
  const { t } = useI18n()
  const others = openWeighings(props).filter(({ state }) => state !== 'to-settle')
  return others.length === 0 ? null : (
    <section className="admin-card p-4">
      <h2 className="text-lg">{t('settle.order-title')}</h2>
      <ul className="mt-2 space-y-3">
        {others.map((weighing) => (
          <li key={weighing.animal_id}>
            <Line weighing={weighing} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Line({ weighing: { animal_id, tag_number, state, due_on, old_grams } }: { weighing: FinalWeighing }) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const text =
    state === 'settled'
      ? t('settle.settled-at', { kg: formatKg(old_grams, lang) })
      : due_on === null
        ? t('settle.not-due')
        : t('settle.due-by', { day: formatDay(due_on, lang) })
  return (
    <p className="flex flex-wrap items-baseline gap-x-3">
      <span className="ear-tag">{tag_number}</span>
      <span>{text}</span>
      {state === 'missing' && can('weighins.write') ? (
        <a href={`/admin/weigh-ins?animal=${animal_id}`} className="tap ms-auto py-1 underline underline-offset-4">
          {t('settle.weigh')}
        </a>
      ) : null}
    </p>
  )
}
