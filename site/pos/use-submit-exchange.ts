import { useState } from 'react'
import { showToast } from '#components/toast.tsx'
import { TOAST_TIME } from '#features/pos/rules.ts'
import { poishaToTaka } from '#lib/format/money.ts'
import type { CallResult } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import type { Question } from '../admin/ui/confirm.tsx'
import { outcomeOf, type QueuedSale, type Rejection } from './device/outbox-rules.ts'
import { posCall } from './device/network.ts'
import { exchangeBodyOf, type SaleExchange } from './exchange.ts'
import { showSoldOnDisplay } from './hardware/display-channel.ts'
import { getSaleState, newSale, type Sale, type SaleShop, saleBodyOf } from './sale.ts'
import { blockedBy } from './sale-blocks.ts'
import type { SaleStore } from './sale-store.ts'
import { useSaleErrors } from './use-sale-errors.ts'
import type { Cashier } from './use-submit-sale.ts'
import { type Approve, needsAnotherCode, type TypedSupervisor } from './supervisor.ts'

const TIMEOUT_MS = 10_000

type Answer = Partial<Rejection> & { order_id?: number; redirect?: string }

interface ExchangeOptions {
  store: SaleStore
  shop: SaleShop
  cashier: Cashier
  ask: (question: Question) => Promise<boolean>
  onSold: (sale: QueuedSale, orderId: number) => void
}

/** A return that a supervisor must approve. */
export interface PendingReturn {
  text: string
  exchange: SaleExchange
  approve: Approve
}

/**
 * Submits the exchange on the screen under the key of its sale, once. It needs the network: without a response it stays on the screen and
 * is sent again by the cashier.
 */
export function useSubmitExchange({ store, shop, cashier, ask, onSold }: ExchangeOptions) {
  const { t } = useI18n()
  const [busy, setBusy] = useState(false)
  const [pending, setPending] = useState<PendingReturn | null>(null)
  const { errors, needed, clear, fail, reject, endApproval } = useSaleErrors(store)
  async function submit() {
    const sale = store.get()
    if (store.isSending || !sale.exchange || getSaleState(sale, shop).problem !== null) return
    const problem = blockedBy(sale, cashier)
    if (problem) return fail(t(problem))
    if (!navigator.onLine) return fail(t('pos.exchange.offline'))
    await send(sale, sale.exchange, null)
  }
  /** With a supervisor: the error text of the code; null for every other response. */
  async function send(sale: Sale, exchange: SaleExchange, supervisor: TypedSupervisor | null): Promise<string | null> {
    const body = bodyOf(sale, exchange, { shop, cashier })
    store.startSending()
    setBusy(true)
    clear()
    const answer = await post(sale, exchange, supervisor ? { ...body, exchange: { ...body.exchange, supervisor } } : body).finally(() => {
      store.endSending()
      setBusy(false)
    })
    if (supervisor && needsAnotherCode(answer)) return answer.body?.message ?? t('pos.exchange.no-response')
    setPending(null)
    await handle(answer, sale, body)
    return null
  }
  async function handle(answer: CallResult<Answer>, sale: Sale, body: Record<string, unknown>) {
    const outcome = outcomeOf(answer)
    if (outcome.kind === 'sold') return finish(toSold(sale, body, { shop, cashier }), outcome.orderId)
    if (outcome.kind === 'locked') return
    if (outcome.kind !== 'rejected') return fail(t('pos.exchange.no-response'))
    const { rejection } = outcome
    const { exchange } = sale
    if (rejection.reason === 'return-approval' && exchange)
      return setPending({ text: rejection.message, exchange, approve: (typed) => send(sale, exchange, typed) })
    if (rejection.reason !== 'key-reused') return reject(rejection)
    const question = { title: t('pos.key-reused-title'), text: rejection.message, action: t('pos.key-reused-do') }
    if (await ask({ ...question, kind: 'primary' })) store.set((now) => ({ ...now, key: crypto.randomUUID(), approval: null }))
  }
  /** Clears the screen for the next sale. */
  function finish(sold: QueuedSale, orderId: number) {
    showSoldOnDisplay()
    store.set((now) => (now.key === sold.key ? newSale() : now))
    showToast(t('pos.exchange.done'), { milliseconds: TOAST_TIME })
    onSold(sold, orderId)
  }
  return { submit, busy, errors, needed, endApproval, pending, endPending: () => setPending(null) }
}

const post = ({ key }: Sale, { orderId }: SaleExchange, body: object) =>
  posCall<Answer>(`/admin/quick-orders/exchange/${orderId}`, {
    method: 'POST',
    body,
    headers: { 'idempotency-key': key },
    timeoutMs: TIMEOUT_MS,
  })

type Register = Pick<ExchangeOptions, 'shop' | 'cashier'>

function bodyOf(sale: Sale, exchange: SaleExchange, { shop, cashier }: Register) {
  const state = getSaleState(sale, shop)
  const own = { cashier_id: cashier.id, shift_id: cashier.shiftId, exchange: exchangeBodyOf(exchange, state.paidBack) }
  return { ...saleBodyOf(sale, state), ...own }
}

/** The exchange as the last-sale panel and the receipt know it. */
function toSold(sale: Sale, body: Record<string, unknown>, { shop, cashier: { id, name } }: Register): QueuedSale {
  const total = poishaToTaka(getSaleState(sale, shop).sums.total)
  return { key: sale.key, sequence: 0, cashier: { id, name }, soldAt: new Date().toISOString(), total, body, sale, state: 'sold' }
}
