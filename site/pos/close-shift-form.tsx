import { type FormEvent, useEffect, useState } from 'react'
import { Button } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import { sumDenominations, TOAST_TIME } from '#features/pos/rules.ts'
import type { ShiftPayment } from '#features/pos/shift-queries.server.ts'
import { formatTaka, poisha, takaToPoisha } from '#lib/format/money.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { call } from '#page/api-client.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { CountNotes } from './count-cash.tsx'
import { useOutbox } from './device/outbox.ts'
import { PaymentList } from './payment-list.tsx'

/** What has been counted so far, kept over a reload. */
interface Counted {
  notes: Record<string, string>
  /** Typed; null: what the notes or the ticked payments come to. */
  cash: string | null
  bkash: string | null
  bank: string | null
  ticked: number[]
  note: string
}

const NOTHING: Counted = { notes: {}, cash: null, bkash: null, bank: null, ticked: [], note: '' }
type Differences = Record<'cash' | 'bkash' | 'bank', number>
type Answer = { redirect?: string; message?: string; errors?: Record<string, string[]>; differences?: Differences }

/** Closes the shift with what was counted; a difference is shown, and said why. */
export function CloseShift({ shiftId, payments }: { shiftId: number; payments: ShiftPayment[] }) {
  const { t, lang } = useI18n()
  const [counted, change] = useCounted(shiftId)
  const [answer, setAnswer] = useState<Answer>({})
  const [busy, setBusy] = useState(false)
  const { user } = usePageContext()
  const unsent = useOutbox().filter((sale) => sale.state !== 'sold' && sale.cashier.id === user?.id).length
  const tickedSum = (means: 'bkash' | 'bank') =>
    payments.filter((one) => one.means === means && counted.ticked.includes(one.id)).reduce((sum, one) => sum + one.amount, 0)
  const shown = (amount: number) => (amount / 100).toFixed(2)
  const values = {
    counted_cash: counted.cash ?? shown(sumDenominations(counted.notes)),
    counted_bkash: counted.bkash ?? shown(Math.max(0, tickedSum('bkash'))),
    counted_bank: counted.bank ?? shown(Math.max(0, tickedSum('bank'))),
  }
  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    const result = await call<Answer>('/admin/quick-orders/shift/close', { method: 'POST', body: { ...values, note: counted.note } })
    if (result.ok) {
      sessionStorage.removeItem(keptUnder(shiftId))
      return location.assign(result.body.redirect ?? '/admin/quick-orders/shifts')
    }
    setBusy(false)
    setAnswer(result.body ?? {})
    showToast(t('pos.error', { message: result.body?.message ?? t('pos.offline-search') }), { kind: 'error', milliseconds: TOAST_TIME })
  }
  const amount = (means: 'cash' | 'bkash' | 'bank') => (
    <TextField
      name={`counted_${means}`}
      label={t(`pos.counted-${means}`)}
      inputMode="decimal"
      autoComplete="off"
      maxLength={20}
      className="figures text-end text-lg"
      value={values[`counted_${means}`]}
      error={answer.errors?.[`counted_${means}`]?.[0]}
      onFocus={({ target }) => target.select()}
      onChange={({ target }) => change({ [means]: target.value })}
    />
  )
  return (
    <form onSubmit={submit} className="grid max-w-5xl gap-4 lg:grid-cols-2">
      <section aria-label={t('pos.cash')} className="space-y-3 rounded-card border border-line bg-milk p-4">
        <CountNotes counts={counted.notes} onChange={(notes) => change({ notes, cash: null })} />
        {amount('cash')}
      </section>
      <div className="space-y-4">
        {(['bkash', 'bank'] as const).map((means) => (
          <section key={means} aria-label={t(`pos.${means}`)} className="space-y-3 rounded-card border border-line bg-milk p-4">
            <PaymentList
              means={means}
              payments={payments.filter((one) => one.means === means)}
              ticked={counted.ticked}
              onTick={(ticked) => change({ ticked, [means]: null })}
            />
            {amount(means)}
          </section>
        ))}
        <section className="space-y-3 rounded-card border border-line bg-milk p-4">
          {answer.differences ? (
            <dl role="status" className="figures rounded-card bg-tag-100 p-3" data-differences>
              {(['cash', 'bkash', 'bank'] as const).map((means) => {
                const off = takaToPoisha(answer.differences![means])
                return off === 0 ? null : (
                  <div key={means} className="flex justify-between gap-4 font-semibold text-terracotta">
                    <dt>
                      {t(`pos.${means}`)}: {t(off < 0 ? 'pos.too-little' : 'pos.too-much')}
                    </dt>
                    <dd>{formatTaka(poisha(Math.abs(off)), lang)}</dd>
                  </div>
                )
              })}
            </dl>
          ) : null}
          <TextField
            name="note"
            label={t('pos.note')}
            optionalLabel={answer.errors?.note ? undefined : t('pos.if-differs')}
            maxLength={255}
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
          <Button type="submit" size="large" full busy={busy} disabled={unsent > 0}>
            {t('pos.close-shift')}
          </Button>
        </section>
      </div>
    </form>
  )
}

const keptUnder = (shiftId: number) => `khamar.count.${shiftId}`

/** The count of this shift: a reload in the middle of it costs nothing. */
function useCounted(shiftId: number) {
  const [counted, setCounted] = useState(NOTHING)
  useEffect(() => {
    try {
      const kept = JSON.parse(sessionStorage.getItem(keptUnder(shiftId)) ?? 'null') as Partial<Counted> | null
      if (kept) setCounted({ ...NOTHING, ...kept })
    } catch {
      // Broken or forbidden storage: the count begins anew.
    }
    document.querySelector<HTMLInputElement>('form input')?.focus()
  }, [shiftId])
  function change(changes: Partial<Counted>) {
    const next = { ...counted, ...changes }
    setCounted(next)
    try {
      sessionStorage.setItem(keptUnder(shiftId), JSON.stringify(next))
    } catch {
      // Full or forbidden: the count goes on, and does not survive a reload.
    }
  }
  return [counted, change] as const
}
