import { type FormEvent, useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { TextField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import type { AreaWithCharges } from '#features/orders/checkout/checkout-rules.ts'
import { TOAST_TIME } from '#features/pos/rules.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost } from '../admin/ui/admin-post.ts'
import { usePreservedState } from '../admin/ui/use-preserved-state.ts'
import { changeInOutbox, takeFromOutbox, useOutbox } from './device/outbox.ts'
import { shortNumber, type QueuedSale } from './device/outbox-rules.ts'
import { type Sale, saleBodyOf, saleState, withPrices } from './sale.ts'
import type { Cashier } from './use-submit-sale.ts'

interface UnsentDialogProps {
  open: boolean
  onClose: () => void
  cashier: Cashier
  areas: readonly AreaWithCharges[]
  /** The till has no sale on its screen: one of these may be taken back into it. */
  isPosFree: boolean
  onEdit: (sale: Sale) => void
  onSend: () => void
}

/** The cashier's sales that have not arrived, what the shop said to them, and what can be done. */
export function UnsentDialog({ open, onClose, cashier, onSend, ...more }: UnsentDialogProps) {
  const { t } = useI18n()
  const own = useOutbox().filter((sale) => sale.cashier.id === cashier.id)
  const sorted = own.toSorted((a, b) => Number(a.state === 'sold') - Number(b.state === 'sold') || b.place - a.place)
  const mayWait = own.some(({ state }) => state === 'waiting')
  return (
    <Dialog
      open={open}
      onClose={onClose}
      wide
      title={t('pos.unsent.title')}
      closeLabel={t('admin.close')}
      actions={
        mayWait ? (
          <Button kind="secondary" onClick={onSend}>
            {t('pos.unsent.send-now')}
          </Button>
        ) : null
      }
    >
      {own.length === 0 ? <p className="text-stone">{t('pos.unsent.none')}</p> : null}
      <ul className="max-h-[60vh] divide-y divide-line overflow-y-auto">
        {sorted.map((sale) => (
          <li key={sale.key} className="py-3">
            <UnsentSale waiting={sale} cashier={cashier} onSend={onSend} {...more} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

type UnsentSaleProps = { waiting: QueuedSale } & Omit<UnsentDialogProps, 'open' | 'onClose'>

function UnsentSale({ waiting, cashier, areas, isPosFree, onEdit, onSend }: UnsentSaleProps) {
  const { t, lang } = useI18n()
  const [givesUp, setGivesUp] = useState(false)
  const { key, state, sale, clash, orderId } = waiting
  const again = async (body: Record<string, unknown>, changes: Partial<QueuedSale> = {}) => {
    await changeInOutbox(key, { ...changes, body, state: 'waiting', clash: undefined })
    onSend()
  }
  const atNewPrices = sale && clash?.products ? repriced(sale, clash.products, areas) : null
  return (
    <div data-unsent-sale={shortNumber(key)} data-state={state}>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="figures font-semibold">{shortNumber(key)}</span>
        <span>{formatDateTime(new Date(waiting.soldAt), lang)}</span>
        <span className="figures ms-auto font-semibold">{formatTaka(takaToPoisha(waiting.total), lang)}</span>
      </p>
      {sale ? (
        <p className="text-sm text-stone">{[localizeDigits(lang, sale.phone), ...sale.lines.map(({ name }) => name)].join(' · ')}</p>
      ) : null}
      <p className={state === 'clash' ? 'font-semibold text-terracotta' : 'text-sm text-stone'}>
        {state === 'sold'
          ? t('pos.unsent.sold', { id: localizeDigits(lang, String(orderId ?? '')) })
          : state === 'clash'
            ? t('pos.unsent.clash', { message: clash?.message ?? '' })
            : t('pos.unsent.waiting')}
      </p>
      {state === 'sold' ? (
        <ButtonLink kind="quiet" href={`/admin/quick-orders/pos-invoice/${orderId}`}>
          {t('paper.print')}
        </ButtonLink>
      ) : null}
      {state === 'clash' ? (
        <div className="mt-2 flex flex-wrap gap-2">
          {atNewPrices ? (
            <Button onClick={() => void again({ ...waiting.body, ...atNewPrices.body }, atNewPrices)}>
              {t('pos.unsent.new-prices', { total: formatTaka(takaToPoisha(atNewPrices.total), lang) })}
            </Button>
          ) : null}
          {clash?.reason === 'missing' && sale?.lines.every(({ isAnimal }) => !isAnimal) ? (
            <Button onClick={() => void again({ ...waiting.body, handed_over: true })}>{t('pos.unsent.goods-are-gone')}</Button>
          ) : null}
          {clash?.reason === 'shift-closed' || clash?.reason === 'no-shift' ? (
            <Button disabled={cashier.shiftId === null} onClick={() => void again({ ...waiting.body, shift_id: cashier.shiftId })}>
              {t('pos.unsent.this-shift')}
            </Button>
          ) : (
            <Button kind="secondary" onClick={() => void again(waiting.body)}>
              {t('pos.unsent.again')}
            </Button>
          )}
          {sale ? (
            <Button kind="secondary" disabled={!isPosFree} onClick={() => onEdit(withPrices(sale, clash?.products ?? []))}>
              {t('pos.unsent.edit')}
            </Button>
          ) : null}
          <Button kind="quiet" aria-expanded={givesUp} onClick={() => setGivesUp(!givesUp)}>
            {t('pos.unsent.give-up')}
          </Button>
        </div>
      ) : null}
      {givesUp ? <GiveUp waiting={waiting} /> : null}
    </div>
  )
}

/** The sale at the shop's prices, cash filling itself; null when it cannot be paid so, and has to be mended in the till. */
function repriced(sale: Sale, prices: readonly { id: number; price: number }[], areas: readonly AreaWithCharges[]) {
  const fresh = { ...withPrices(sale, prices), cash: null }
  const standing = saleState(fresh, areas)
  return standing.problem === null ? { sale: fresh, total: standing.sums.total / 100, body: saleBodyOf(fresh, standing) } : null
}

/** A sale that will never be one: with its reason, that the shop writes down. */
function GiveUp({ waiting: { key, soldAt, total, sale } }: { waiting: QueuedSale }) {
  const { t } = useI18n()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [reason, setReason, forget] = usePreservedState(`give-up-${key}`, '')
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setBusy(true)
    const products = sale?.lines.map(({ id, quantity }) => ({ id, quantity })) ?? []
    const body = { key, reason, sold_at: soldAt, total, phone: sale?.phone ?? '', products }
    const answer = await adminPost<{ order_id?: number }>('/admin/quick-orders/unsent/drop', body)
    setBusy(false)
    if (answer.ok) {
      forget()
      return takeFromOutbox(key)
    }
    setError(answer.errors.reason?.[0])
    if (!answer.errors.reason) showToast(answer.message ?? t('pos.offline-search'), { kind: 'error', milliseconds: TOAST_TIME })
  }
  return (
    <form onSubmit={submit} className="mt-2 flex flex-wrap items-end gap-2">
      <div className="grow">
        <TextField
          label={t('pos.unsent.why')}
          value={reason}
          maxLength={255}
          autoComplete="off"
          error={error}
          onChange={(event) => setReason(event.target.value)}
        />
      </div>
      <Button type="submit" kind="danger" busy={busy}>
        {t('pos.unsent.give-up')}
      </Button>
    </form>
  )
}
