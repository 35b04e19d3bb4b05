import { useRef, useState } from 'react'
import { showToast } from '#components/toast.tsx'
import { MAX_RECEIPTLESS_LINES } from '#features/pos/limits.ts'
import { addProducts, lineQuantity, TOAST_TIME, type PosLine } from '#features/pos/rules.ts'
import { lineTotal } from '#features/catalog/shown-price-rules.ts'
import { type Poisha, poishaToTaka, sum, wholeTaka, ZERO } from '#lib/format/money.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { attemptHeaders, clearAttempt, endAttempt } from '../admin/ui/idempotency-key.ts'
import { useReturnReceipt } from './recorded-return.tsx'
import { refundBodyOf, type RefundPayment } from './refund-method.tsx'
import { typedAmount } from './sale.ts'
import type { AddProduct } from './use-add-scanned.ts'
import { needsAnotherCode, type TypedSupervisor } from './supervisor.ts'

const FORM = 'pos-return-without-receipt'

/** A product that comes back, as typed. */
export interface ReceiptlessLine extends PosLine {
  /** The price of a unit that is refunded. */
  typedPrice: string
  spoiled: boolean
}

type Answer = {
  return_id?: number
  redirect?: string
  recorded_at?: string
  message?: string
  reason?: string
  errors?: Record<string, string[]>
}

const valueOf = (line: ReceiptlessLine): Poisha => lineTotal(typedAmount(line.typedPrice) ?? ZERO, lineQuantity(line) ?? 0)

/** The inputs of a return without a receipt, and its sending. */
export function useReceiptlessReturn(roundsCash: boolean) {
  const { lines, add, problemOf, change, remove, rememberLines } = useLines()
  const [phone, setPhone] = useState('')
  const [reason, setReason] = useState('')
  const [payment, setPayment] = useState<RefundPayment>({ method: 'cash', transactionId: '' })
  const worth = sum(lines.map(valueOf))
  const refund = roundsCash && payment.method === 'cash' ? wholeTaka(worth) : worth
  const sending = useSending(() => ({ lines: lines.map(lineBody), phone, reason, ...refundBodyOf(payment, refund) }))
  /** Restores the inputs as they are now, for keys that turn out to be a scan. */
  const remember = () => {
    const restoreLines = rememberLines()
    return () => {
      restoreLines()
      setPhone(phone)
      setReason(reason)
      setPayment(payment)
    }
  }
  const inputs = { remember, lines, add, problemOf, change, remove, phone, setPhone, reason, setReason, payment, setPayment }
  return { ...inputs, ...sending, valueOf, worth, refund }
}

const lineBody = (line: ReceiptlessLine) => {
  const quantity = String((lineQuantity(line) ?? 0) / 1000)
  return { product_id: line.id, quantity, price: poishaToTaka(typedAmount(line.typedPrice) ?? ZERO), spoiled: line.spoiled }
}

function useLines() {
  const { t } = useI18n()
  const [lines, setLines] = useState<ReceiptlessLine[]>([])
  const added = useRef<Parameters<AddProduct>[]>([])
  const put: AddProduct = (product, milli) => setLines((now) => addProducts(now, product, milli).map((line) => withInputs(line, now)))
  const add: AddProduct = (...product) => {
    added.current.push(product)
    put(...product)
  }
  /** Restores the lines as they are now, with the products that were added meanwhile. */
  const rememberLines = () => {
    added.current = []
    return () => {
      setLines(lines)
      for (const product of added.current) put(...product)
    }
  }
  const problemOf = ({ id, name, isAnimal }: Pick<PosLine, 'id' | 'name' | 'isAnimal'>) => {
    if (isAnimal) return t('pos.receiptless.animal', { name })
    const isFull = lines.length >= MAX_RECEIPTLESS_LINES && !lines.some((line) => line.id === id)
    return isFull ? t('pos.receiptless.too-many-lines') : null
  }
  return {
    lines,
    add,
    problemOf,
    change: (id: number, changes: Partial<ReceiptlessLine>) =>
      setLines((now) => now.map((line) => (line.id === id ? { ...line, ...changes } : line))),
    rememberLines,
    remove: (id: number) => setLines((now) => now.filter((line) => line.id !== id)),
  }
}

/** The line with what was typed for it; a new one has the current price. */
function withInputs(line: PosLine, typed: readonly ReceiptlessLine[]): ReceiptlessLine {
  const known = typed.find(({ id }) => id === line.id)
  return { ...line, typedPrice: known?.typedPrice ?? (line.price / 100).toFixed(2), spoiled: known?.spoiled ?? false }
}

function useErrorToast() {
  const { t } = useI18n()
  return (message: string) => showToast(t('pos.error', { message }), { kind: 'error', milliseconds: TOAST_TIME })
}

/** Sends the return under one idempotency key; it always asks for a supervisor. Then its receipt is printed. */
function useSending(bodyOf: () => object) {
  const { t } = useI18n()
  const toast = useErrorToast()
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const [approval, setApproval] = useState<{ text: string } | null>(null)
  const { receipt, isCopy, recordedAt, record, endReceipt, printAgain } = useReturnReceipt()
  /** Back to the inputs, which are then another return. */
  const again = () => {
    clearAttempt(FORM)
    setApproval(null)
    setBusy(false)
    endReceipt()
  }
  /** With a supervisor: the error text of the code; null for every other response. */
  async function send(supervisor: TypedSupervisor | null = null): Promise<string | null> {
    setBusy(true)
    const answer = await post(bodyOf(), supervisor)
    if (answer.ok && answer.body?.redirect) {
      await record({ ...answer.body, redirect: answer.body.redirect })
      return null
    }
    setBusy(false)
    const message = answer.noResponse ? t('pos.return.offline') : (answer.body?.message ?? t('pos.failed'))
    if (supervisor && needsAnotherCode(answer)) return message
    reject(message, answer.body)
    return null
  }
  function reject(message: string, body: Answer | null | undefined) {
    const needsApproval = body?.reason === 'approval'
    setErrors(needsApproval ? {} : (body?.errors ?? {}))
    setApproval(needsApproval ? { text: message } : null)
    if (!needsApproval) toast(message)
  }
  return { send, busy, errors, approval, endApproval: () => setApproval(null), receipt, isCopy, recordedAt, again, printAgain }
}

async function post(body: object, supervisor: TypedSupervisor | null) {
  const answer = await call<Answer>('/admin/quick-orders/return-without-receipt', {
    method: 'POST',
    body: supervisor ? { ...body, supervisor } : body,
    headers: attemptHeaders(FORM, JSON.stringify(body)),
  })
  if (answer.ok) endAttempt(FORM)
  return answer
}

export type ReceiptlessModel = ReturnType<typeof useReceiptlessReturn>
