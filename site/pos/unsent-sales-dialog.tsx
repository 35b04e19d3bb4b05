import { TEXT_LIMIT } from '#lib/format/text.ts'
import { type FormEvent, useEffect, useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { TextField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import { TOAST_TIME } from '#features/pos/rules.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { usePermissions } from '../admin/ui/use-permissions.ts'
import { usePreservedState } from '../admin/ui/use-preserved-state.ts'
import { currentLine } from './current-line.ts'
import { changeInOutbox, renewKeyInOutbox, takeFromOutbox, useOutbox } from './device/outbox.ts'
import { shortNumber, type QueuedSale } from './device/outbox-rules.ts'
import { refreshTerms } from './device/shop-terms.ts'
import { noteStorageError } from './device/storage-state.ts'
import { type Sale, type SaleShop, saleBodyOf, getSaleState, withPrices } from './sale.ts'
import type { Cashier } from './use-submit-sale.ts'

interface UnsentDialogProps {
  open: boolean
  onClose: () => void
  cashier: Cashier
  shop: SaleShop
  /** The key of the sale on the screen; null: it is empty, and an unsent sale may be loaded for editing. */
  screenKey: string | null
  onEdit: (sale: Sale) => void
  onSend: () => void
}

/** The cashier's unsent sales with the server's messages and the possible actions. */
export function UnsentDialog({ open, onClose, cashier, onSend, ...more }: UnsentDialogProps) {
  const { t } = useI18n()
  // Another delivery charge may be why a sale was rejected.
  useEffect(() => void (open && refreshTerms()), [open])
  // A closed dialog renders nothing: the outbox changes with each sale.
  const all = useOutbox()
  const { can } = usePermissions()
  // The sales of a cashier who is gone are paid: a manager takes them over.
  const isShown = (sale: QueuedSale) => sale.cashier.id === cashier.id || (can('pos.approve') && sale.state !== 'sold')
  const own = open ? all.filter(isShown) : []
  const sorted = [...own].sort((a, b) => Number(a.state === 'sold') - Number(b.state === 'sold') || b.sequence - a.sequence)
  const hasWaiting = own.some((sale) => sale.state === 'waiting' && sale.cashier.id === cashier.id)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      wide
      title={t('pos.unsent.title')}
      closeLabel={t('admin.close')}
      actions={
        hasWaiting ? (
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
            {sale.cashier.id === cashier.id ? (
              <UnsentSale queued={sale} cashier={cashier} onSend={onSend} {...more} />
            ) : (
              <SaleOfOther queued={sale} cashier={cashier} onSend={onSend} />
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** Sends the sales once the change of one is stored; says it where the browser cannot store it. */
function useSendChanged(onSend: () => void): (change: Promise<void>) => Promise<void> {
  const { t } = useI18n()
  return (change) =>
    change.then(onSend, (error: unknown) => {
      noteStorageError(error)
      showToast(t('pos.unsent.not-changed'), { kind: 'error', milliseconds: TOAST_TIME })
    })
}

type UnsentSaleProps = { queued: QueuedSale } & Omit<UnsentDialogProps, 'open' | 'onClose'>

function UnsentSale({ queued, cashier, shop, screenKey, onEdit, onSend }: UnsentSaleProps) {
  const { t, lang } = useI18n()
  const [isDiscarding, setDiscarding] = useState(false)
  const { key, state, sale, rejection, orderId } = queued
  const sendChanged = useSendChanged(onSend)
  const resend = (body: Record<string, unknown>, changes: Partial<QueuedSale> = {}) =>
    sendChanged(changeInOutbox(key, { ...changes, body, state: 'waiting', rejection: undefined }))
  const atCurrentPrices = sale && rejection?.products ? repriced(sale, rejection.products, shop) : null
  return (
    <div>
      <UnsentHead queued={queued} />
      <p className={state === 'rejected' ? 'font-semibold text-terracotta' : 'text-sm text-stone'}>
        {state === 'sold'
          ? t('pos.unsent.sold', { id: localizeDigits(lang, String(orderId ?? '')) })
          : state === 'rejected'
            ? t('pos.unsent.clash', { message: rejection?.message ?? '' })
            : t('pos.unsent.waiting')}
      </p>
      {state === 'sold' ? (
        <ButtonLink kind="quiet" href={`/admin/quick-orders/pos-invoice/${orderId}`} target="_blank" rel="noopener">
          {t('print.print')}
        </ButtonLink>
      ) : null}
      {state === 'rejected' && key === screenKey ? <p className="text-sm text-stone">{t('pos.unsent.on-screen')}</p> : null}
      {state === 'rejected' && key !== screenKey ? (
        <div className="mt-2 flex flex-wrap gap-2">
          {atCurrentPrices ? (
            <Button onClick={() => void resend({ ...queued.body, ...atCurrentPrices.body }, atCurrentPrices)}>
              {t('pos.unsent.new-prices', { total: formatTaka(takaToPoisha(atCurrentPrices.total), lang) })}
            </Button>
          ) : null}
          {mayBeHandedOver(queued) ? (
            <Button onClick={() => void resend({ ...queued.body, handed_over: true })}>{t('pos.unsent.goods-are-gone')}</Button>
          ) : null}
          {rejection?.reason === 'shift-closed' || rejection?.reason === 'no-shift' ? (
            <Button disabled={cashier.shiftId === null} onClick={() => void resend({ ...queued.body, shift_id: cashier.shiftId })}>
              {t('pos.unsent.this-shift')}
            </Button>
          ) : rejection?.reason === 'key-reused' ? (
            <Button onClick={() => void sendChanged(renewKeyInOutbox(key))}>{t('pos.unsent.as-new')}</Button>
          ) : (
            <Button kind="secondary" onClick={() => void resend(queued.body)}>
              {t('pos.unsent.again')}
            </Button>
          )}
          {sale ? (
            <Button kind="secondary" disabled={screenKey !== null} onClick={() => onEdit(asNow(sale, rejection?.products ?? []))}>
              {t('pos.unsent.edit')}
            </Button>
          ) : null}
          <Button kind="quiet" aria-expanded={isDiscarding} onClick={() => setDiscarding(!isDiscarding)}>
            {t('pos.unsent.give-up')}
          </Button>
        </div>
      ) : null}
      {isDiscarding ? <DiscardSale queued={queued} /> : null}
    </div>
  )
}

/** The number, time, total, customer and products of a sale. */
function UnsentHead({ queued: { key, soldAt, total, sale } }: { queued: QueuedSale }) {
  const { lang } = useI18n()
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="tabular-nums font-semibold">{shortNumber(key)}</span>
        <span>{formatDateTime(new Date(soldAt), lang)}</span>
        <span className="tabular-nums ms-auto font-semibold">{formatTaka(takaToPoisha(total), lang)}</span>
      </p>
      {sale ? (
        <p className="text-sm text-stone">{[localizeDigits(lang, sale.phone), ...sale.lines.map(({ name }) => name)].join(' · ')}</p>
      ) : null}
    </>
  )
}

/** An unsent sale of another cashier. Its key stays: the shop refuses a sale that it has from that cashier. */
function SaleOfOther({ queued, cashier: { id, name, shiftId }, onSend }: Pick<UnsentSaleProps, 'queued' | 'cashier' | 'onSend'>) {
  const { t } = useI18n()
  const sendChanged = useSendChanged(onSend)
  function takeOver() {
    const body = { ...queued.body, cashier_id: id, shift_id: shiftId }
    return sendChanged(changeInOutbox(queued.key, { cashier: { id, name }, body, state: 'waiting', rejection: undefined }))
  }
  return (
    <div>
      <UnsentHead queued={queued} />
      <p className="text-sm text-stone">{t('pos.unsent.of', { name: queued.cashier.name })}</p>
      <Button className="mt-2" disabled={shiftId === null} onClick={() => void takeOver()}>
        {t('pos.unsent.take-over')}
      </Button>
    </div>
  )
}

/**
 * Whether a sale that the shop does not have in stock, or not in these packs any more, may have left with the customer. An animal never has: it
 * needs the network.
 */
function mayBeHandedOver({ rejection, sale }: QueuedSale): boolean {
  if (!sale || (rejection?.reason !== 'missing' && rejection?.reason !== 'quantity')) return false
  return !sale.deliver && !sale.collect && sale.lines.every(({ isAnimal }) => !isAnimal)
}

type Prices = readonly { id: number; price: number }[]

/** The sale with its products as they are now; the shop's prices go first. */
const asNow = (sale: Sale, prices: Prices) => withPrices({ ...sale, lines: sale.lines.map(currentLine) }, prices)

/** The sale at current prices and charges with cash as the rest; null when it needs editing first. */
function repriced(sale: Sale, prices: Prices, shop: SaleShop) {
  const fresh = { ...asNow(sale, prices), cash: null }
  const state = getSaleState(fresh, shop)
  return state.problem === null ? { sale: fresh, total: state.sums.total / 100, body: saleBodyOf(fresh, state) } : null
}

type DropAnswer = { order_id?: number; message?: string; errors?: Record<string, string[]> }

/** Discards an unsent sale; its reason is recorded on the server. Where its key has an order, the cashier is told and discards it once more. */
function DiscardSale({ queued: { key, soldAt, total, sale } }: { queued: QueuedSale }) {
  const { t } = useI18n()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [recorded, setRecorded] = useState<{ order: number; text: string } | null>(null)
  const [reason, setReason, reset] = usePreservedState(`give-up-${key}`, '')
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setBusy(true)
    const products = sale?.lines.map(({ id, quantity }) => ({ id, quantity })) ?? []
    const known = recorded ? { recorded_order: recorded.order } : {}
    const body = { key, reason, sold_at: soldAt, total, phone: sale?.phone ?? '', products, ...known }
    const answer = await call<DropAnswer>('/admin/quick-orders/unsent/drop', { method: 'POST', body })
    setBusy(false)
    if (answer.ok) {
      reset()
      return takeFromOutbox(key).catch(noteStorageError)
    }
    const { errors, message, order_id: order } = answer.body ?? {}
    setError(errors?.reason?.[0])
    if (order !== undefined) return setRecorded({ order, text: message ?? '' })
    if (!errors?.reason) showToast(message ?? t('pos.offline-search'), { kind: 'error', milliseconds: TOAST_TIME })
  }
  return (
    <form onSubmit={submit} className="mt-2 flex flex-wrap items-end gap-2">
      <div className="grow">
        <TextField
          label={t('pos.unsent.why')}
          value={reason}
          maxLength={TEXT_LIMIT}
          autoComplete="off"
          error={error}
          onChange={(event) => setReason(event.target.value)}
        />
      </div>
      <p role="status" className="w-full font-semibold text-terracotta empty:hidden">
        {recorded ? `${recorded.text} ${t('pos.unsent.is-sold-too')}` : null}
      </p>
      <Button type="submit" kind="danger" busy={busy}>
        {t('pos.unsent.give-up')}
      </Button>
    </form>
  )
}
