import { TEXT_LIMIT } from '#lib/format/text.ts'
import { type FormEvent, useEffect, useState } from 'react'
import { Button } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import {
  type NoncashMethod,
  noncashMethods,
  PAYMENT_METHODS,
  type PaymentMethod,
  sumDenominations,
  TOAST_TIME,
} from '#features/pos/rules.ts'
import type { Differences } from '#features/pos/shifts.server.ts'
import { formatTaka, poisha, takaToPoisha } from '#lib/format/money.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { call } from '#page/api-client.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { CountNotes } from './count-cash.tsx'
import { setOpenShift } from './device/open-shift.ts'
import { useOutbox } from './device/outbox.ts'
import type { Props } from './close-shift.page.tsx'
import { PaymentList } from './payment-list.tsx'
import { LocalTakaField } from './local-taka-field.tsx'

/** The counted values so far; they survive a reload. */
interface Counted {
  notes: Record<string, string>
  /** As typed; null: the sum of the counted notes or of the ticked payments. */
  cash: string | null
  others: { [method in NoncashMethod]?: string | null }
  ticked: number[]
  note: string
}

const NOTHING: Counted = { notes: {}, cash: null, others: {}, ticked: [], note: '' }
const ALREADY_CLOSED = 409
type Answer = { redirect?: string; message?: string; errors?: Record<string, string[]>; differences?: Differences }

/** Closes the shift with the counted amounts; a difference is shown and needs a note. */
export function CloseShift({ shiftId, payments, methods, of }: Props) {
  const { t, lang } = useI18n()
  const [counted, change] = useCounted(shiftId)
  const [answer, setAnswer] = useState<Answer>({})
  const [busy, setBusy] = useState(false)
  const { user } = usePageContext()
  const cashierId = of?.id ?? user?.id ?? 0
  const unsent = useOutbox().filter((sale) => sale.state !== 'sold' && sale.cashier.id === cashierId).length
  const others = noncashMethods(methods)
  const tickedSum = (method: NoncashMethod) =>
    payments.filter((one) => one.method === method && counted.ticked.includes(one.id)).reduce((sum, one) => sum + one.amount, 0)
  const shown = (amount: number) => (amount / 100).toFixed(2)
  const valueOf = (method: PaymentMethod) =>
    method === 'cash' ? (counted.cash ?? shown(sumDenominations(counted.notes))) : (counted.others[method] ?? shown(tickedSum(method)))
  const values = Object.fromEntries((['cash', ...others] as const).map((method) => [`counted_${method}`, valueOf(method)]))
  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    const url = `/admin/quick-orders/shift/close${of ? `/${shiftId}` : ''}`
    const result = await call<Answer>(url, { method: 'POST', body: { ...values, note: counted.note, shift_id: shiftId } })
    // The answer to an earlier press may have been lost.
    if (result.ok || result.status === ALREADY_CLOSED) {
      sessionStorage.removeItem(storageKey(shiftId))
      setOpenShift({ cashierId, shiftId, isOpen: false })
      return location.assign(result.body?.redirect ?? '/admin/quick-orders/shifts')
    }
    setBusy(false)
    setAnswer(result.body ?? {})
    showToast(t('pos.error', { message: result.body?.message ?? t('pos.offline-search') }), { kind: 'error', milliseconds: TOAST_TIME })
  }
  const amount = (method: PaymentMethod, onType: (text: string) => void) => (
    <LocalTakaField
      name={`counted_${method}`}
      label={t(`pos.counted-${method}`)}
      className="text-end text-lg"
      value={valueOf(method)}
      error={answer.errors?.[`counted_${method}`]?.[0]}
      onFocus={({ target }) => target.select()}
      onChange={onType}
    />
  )
  return (
    <form onSubmit={submit} className="grid max-w-5xl gap-4 lg:grid-cols-2">
      <section aria-label={t('pos.cash')} className="space-y-3 rounded-card border border-line bg-milk p-4">
        <CountNotes counts={counted.notes} onChange={(notes) => change({ notes, cash: null })} />
        {amount('cash', (cash) => change({ cash }))}
      </section>
      <div className="space-y-4">
        {others.map((method) => (
          <section key={method} aria-label={t(`pos.${method}`)} className="space-y-3 rounded-card border border-line bg-milk p-4">
            <PaymentList
              method={method}
              payments={payments.filter((one) => one.method === method)}
              ticked={counted.ticked}
              onTick={(ticked) => change({ ticked, others: { ...counted.others, [method]: null } })}
            />
            {amount(method, (text) => change({ others: { ...counted.others, [method]: text } }))}
          </section>
        ))}
        <section className="space-y-3 rounded-card border border-line bg-milk p-4">
          {answer.differences ? <Differing differences={answer.differences} /> : null}
          <TextField
            name="note"
            label={t('pos.note')}
            optionalLabel={answer.errors?.note ? undefined : t('pos.if-differs')}
            maxLength={TEXT_LIMIT}
            autoComplete="off"
            value={counted.note}
            error={answer.errors?.note?.[0]}
            onChange={({ target }) => change({ note: target.value })}
          />
          {unsent > 0 ? (
            <p role="status" className="rounded-card bg-tag-100 p-3">
              {t('pos.unsent.before-closing', { count: formatNumber(unsent, lang) })}{' '}
              <a href="/admin/quick-orders" className="underline">
                {t('pos.title')}
              </a>
            </p>
          ) : null}
          <Button type="submit" size="large" full busy={busy} disabled={unsent > 0 && !of}>
            {t('pos.close-shift')}
          </Button>
        </section>
      </div>
    </form>
  )
}

/** What is short or over, by method. */
function Differing({ differences }: { differences: Differences }) {
  const { t, lang } = useI18n()
  return (
    <dl role="status" className="tabular-nums rounded-card bg-tag-100 p-3" data-differences>
      {PAYMENT_METHODS.map((method) => {
        const difference = takaToPoisha(differences[method] ?? 0)
        return difference === 0 ? null : (
          <div key={method} className="flex justify-between gap-4 font-semibold text-terracotta">
            <dt>
              {t(`pos.${method}`)}: {t(difference < 0 ? 'pos.too-little' : 'pos.too-much')}
            </dt>
            <dd>{formatTaka(poisha(Math.abs(difference)), lang)}</dd>
          </div>
        )
      })}
    </dl>
  )
}

const storageKey = (shiftId: number) => `khamar.count.${shiftId}`

/** The count of this shift, stored in the tab so that a reload loses nothing. */
function useCounted(shiftId: number) {
  const [counted, setCounted] = useState(NOTHING)
  useEffect(() => {
    try {
      const stored = JSON.parse(sessionStorage.getItem(storageKey(shiftId)) ?? 'null') as Partial<Counted> | null
      if (stored) setCounted({ ...NOTHING, ...stored })
    } catch {
      // Broken or forbidden storage: start with an empty count.
    }
    document.querySelector<HTMLInputElement>('form input')?.focus()
  }, [shiftId])
  function change(changes: Partial<Counted>) {
    const next = { ...counted, ...changes }
    setCounted(next)
    try {
      sessionStorage.setItem(storageKey(shiftId), JSON.stringify(next))
    } catch {
      // Full or forbidden storage: the count continues and does not survive a reload.
    }
  }
  return [counted, change] as const
}
