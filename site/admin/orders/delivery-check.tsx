import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { TakaField } from '#components/taka-field.tsx'
import { showToast } from '#components/toast.tsx'
import type { DeliveryCheck } from '#features/delivery/delivery-check.server.ts'
import { isSent, type OrderStatus } from '#features/orders/rules.ts'
import { formatTaka, parseAmount, poisha, type Poisha, sum, takaToPoisha, ZERO } from '#lib/format/money.ts'
import { localizeDigits, formatKg, formatNumber, toMilli } from '#lib/format/numbers.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { formatLongDay } from '#lib/format/time.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { AlertIcon } from '../ui/icons.tsx'

/** Cash collected at the door. */
export interface Collected {
  /** As typed, in taka, by order number. */
  amounts: ReadonlyMap<number, string>
  /** It goes into the drawer of the own open shift. */
  drawer: boolean
}

const NOTHING: Collected = { amounts: new Map(), drawer: false }

/** Answer of GET /api/admin/orders/delivery-check. `has_drawer`: the member of staff has an open shift. */
interface Found {
  checks: DeliveryCheck[]
  has_drawer: boolean
}

interface Open extends Found {
  count: number
  to: OrderStatus
}

/**
 * Asks before orders go out or are delivered while an animal has no settled final weighing, money or a refund is due, or a second delivery is to
 * come. `check` answers the cash collected at the door, empty where nothing is open; null when the step is not to be taken. `otherwise` asks
 * where nothing is open. `usesDrawer`: the cash most likely goes into the drawer of the own open shift.
 */
export function useDeliveryCheck({ usesDrawer }: { usesDrawer: boolean }): {
  check(ids: number[], to: OrderStatus, otherwise?: () => Promise<boolean>): Promise<Collected | null>
  dialog: ReactNode
} {
  const { t } = useI18n()
  const [open, setOpen] = useState<Open | null>(null)
  const answer = useRef<(collected: Collected | null) => void>(() => {})
  async function check(ids: number[], to: OrderStatus, otherwise?: () => Promise<boolean>): Promise<Collected | null> {
    if (!isSent(to)) return NOTHING
    const found = await call<Found & { message?: string }>(`/api/admin/orders/delivery-check?to=${to}&ids=${ids.join(',')}`)
    if (!found.ok) {
      showToast((found.noResponse ? null : found.body?.message) ?? t('admin.no-answer'), { kind: 'error' })
      return null
    }
    const { checks, has_drawer } = found.body
    if (checks.length === 0) return otherwise === undefined || (await otherwise()) ? NOTHING : null
    setOpen({ checks, has_drawer, count: ids.length, to })
    return new Promise((resolve) => (answer.current = resolve))
  }
  const close = (collected: Collected | null) => {
    answer.current(collected)
    setOpen(null)
  }
  return { check, dialog: open ? <Question {...open} usesDrawer={usesDrawer} onAnswer={close} /> : null }
}

interface QuestionProps extends Open {
  usesDrawer: boolean
  onAnswer(collected: Collected | null): void
}

function Question({ checks, has_drawer: hasDrawer, count, to, usesDrawer, onAnswer }: QuestionProps) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const owing = checks.filter(({ due }) => due > 0)
  const full = () => new Map(owing.map(({ id, due }) => [id, String(due)]))
  const only = checks.length === 1 && count === 1 ? checks[0] : undefined
  // Of several orders nothing is taken for granted.
  const [typed, setTyped] = useState<Map<number, string>>(only ? full : new Map())
  const [hasTried, setTried] = useState(false)
  const [isForDrawer, setForDrawer] = useState(usesDrawer)
  const status = t(`order-status.${to}`)
  const money = (amount: Poisha) => formatTaka(amount, lang)
  const amounts = new Map(owing.map(({ id }) => [id, amountOf(typed.get(id) ?? '')]))
  const total = sum([...amounts.values()].map((amount) => amount ?? ZERO))
  const errorOf = ({ id, due }: DeliveryCheck) => {
    const amount = amounts.get(id)
    if (amount === null) return t('field.taka')
    return amount !== undefined && amount > takaToPoisha(due) ? t('door.more', { amount: money(takaToPoisha(due)) }) : undefined
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const collected = new Map([...typed].filter(([, amount]) => amount.trim() !== ''))
    if (!owing.some(errorOf)) onAnswer({ amounts: collected, drawer: hasDrawer && isForDrawer && total > 0 })
  }
  const mayCollect = can('payments.write')
  const field = (one: DeliveryCheck) => (
    <TakaField
      label={only ? t('door.collected') : t('door.collected-of', { order: localizeDigits(lang, String(one.id)) })}
      {...(only ? { hint: t('door.collected-hint') } : {})}
      value={typed.get(one.id) ?? ''}
      error={hasTried ? errorOf(one) : undefined}
      onChange={(event) => setTyped(new Map(typed).set(one.id, event.target.value))}
    />
  )
  return (
    <Dialog
      open
      wide={!only}
      onClose={() => onAnswer(null)}
      closeLabel={t('admin.close')}
      title={
        only
          ? t('door.title', { order: localizeDigits(lang, String(only.id)), status })
          : t('door.title-many', { count: formatNumber(count, lang), status })
      }
    >
      <form noValidate onSubmit={submit} className="space-y-4">
        <ul className={only ? 'space-y-4' : 'max-h-[50vh] divide-y divide-line overflow-y-auto border-y border-line'}>
          {checks.map((one) => (
            <li key={one.id} className={only ? 'space-y-3' : 'space-y-2 py-3'}>
              {only ? null : (
                <p className="flex flex-wrap justify-between gap-x-4 font-semibold">
                  <span>
                    {localizeDigits(lang, String(one.id))} · {shownName(one.name, lang)}
                  </span>
                  {one.due > 0 ? <span className="tabular-nums">{t('door.due', { amount: money(takaToPoisha(one.due)) })}</span> : null}
                </p>
              )}
              <Animals animals={one.animals} isOnly={only !== undefined} />
              {one.second_on === null ? null : (
                <p className="font-semibold text-terracotta">{t('door.second-ahead', { day: formatLongDay(one.second_on, lang) })}</p>
              )}
              {only && one.due > 0 ? (
                <p className="tabular-nums text-lg font-semibold">{t('door.due', { amount: money(takaToPoisha(one.due)) })}</p>
              ) : null}
              {one.refund > 0 ? (
                <p className="font-semibold text-terracotta">{t('door.refund', { amount: money(takaToPoisha(one.refund)) })}</p>
              ) : null}
              {one.due > 0 && mayCollect ? field(one) : null}
            </li>
          ))}
        </ul>
        {owing.length > 0 && mayCollect && !only ? (
          <FillButtons onFill={() => setTyped(full())} onClear={() => setTyped(new Map())} />
        ) : null}
        {hasDrawer && mayCollect && total > 0 ? (
          <Checkbox checked={isForDrawer} onChange={setForDrawer}>
            {t('admin-orders.into-drawer')}
          </Checkbox>
        ) : null}
        <div className="flex flex-wrap justify-end gap-2 max-sm:flex-col-reverse">
          <Button kind="secondary" onClick={() => onAnswer(null)}>
            {t('admin.cancel')}
          </Button>
          <Button type="submit">
            {owing.length === 0 || !mayCollect
              ? t('door.go', { status })
              : total > 0
                ? t('door.go-collected', { status, amount: money(total) })
                : t('door.go-not-collected', { status })}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function FillButtons({ onFill, onClear }: { onFill: () => void; onClear: () => void }) {
  const { t } = useI18n()
  return (
    <div className="space-y-2">
      <p className="text-sm text-stone">{t('door.collected-hint')}</p>
      <div className="flex flex-wrap gap-2">
        <Button size="small" kind="quiet" onClick={onFill}>
          {t('door.fill')}
        </Button>
        <Button size="small" kind="quiet" onClick={onClear}>
          {t('door.clear')}
        </Button>
      </div>
    </div>
  )
}

function Animals({ animals, isOnly }: { animals: DeliveryCheck['animals']; isOnly: boolean }) {
  const { t, lang } = useI18n()
  if (animals.length === 0) return null
  return (
    <div className="flex gap-3 rounded-card bg-terracotta-100 px-3.5 py-2.5 text-terracotta">
      <AlertIcon className="mt-0.5 shrink-0" />
      <div>
        {animals.map(({ tag, state, kg }) => (
          <p key={tag} className="font-semibold">
            {state === 'missing' || kg === null
              ? t('door.not-weighed', { tag })
              : t('door.not-settled', { tag, kg: formatKg(toMilli(kg), lang) })}
          </p>
        ))}
        {isOnly ? <p className="text-sm">{t('door.weighing-text')}</p> : null}
      </div>
    </div>
  )
}

/** The typed amount; nothing typed is zero, and null is no amount. */
function amountOf(typed: string): Poisha | null {
  if (typed.trim() === '') return ZERO
  const amount = parseAmount(typed)
  return amount === null || amount < 0 ? null : poisha(amount)
}
