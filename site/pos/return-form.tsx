import { TEXT_LIMIT } from '#lib/format/text.ts'
import { MAX_TYPED_TRANSACTION_ID_LENGTH } from '#lib/format/input-limits.ts'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import { creditRequired } from '#features/pos/account/store-credit-rules.ts'
import { returnableQuantity, returnQuantityProblem, returnSums } from '#features/orders/returns/return-rules.ts'
import { roundedRefund } from '#features/pos/rounding-rules.ts'
import { autoCash, noncashMethods, noncashOf, type NoncashMethod, type Tender, tenderedOf, TOAST_TIME } from '#features/pos/rules.ts'
import type { SoldSale } from '#features/pos/sale-queries.server.ts'
import { formatTaka, poisha, poishaToTaka, ZERO } from '#lib/format/money.ts'
import { localizeDigits, formatQuantity } from '#lib/format/numbers.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { attemptKey, endAttempt } from '../admin/ui/idempotency-key.ts'
import { useFocusError } from './focus-field.ts'
import { RecordedReturn, useReturnReceipt } from './recorded-return.tsx'
import { ExchangeButton } from './exchange-button.tsx'
import { type Line, Money, readReturnedQuantity, ReturnLine } from './return-line.tsx'
import type { Props } from './return.page.tsx'
import { typedAmount } from './sale.ts'
import { SupervisorDialog } from './supervisor-dialog.tsx'
import { type Approve, needsAnotherCode, type TypedSupervisor } from './supervisor.ts'

type ByMethod = { [method in NoncashMethod]?: string }
type Answer = {
  return_id?: number
  redirect?: string
  message?: string
  reason?: string
  errors?: Record<string, string[]>
  refund?: number
}

/** Products and quantities to return, the reason, and the payment methods of the refund. */
export function ReturnForm({
  sale,
  allowance,
  roundsCash,
  methods,
}: Pick<Props, 'allowance' | 'roundsCash' | 'methods'> & { sale: SoldSale }) {
  const { t, lang } = useI18n()
  const open = sale.lines.filter((line) => returnableQuantity(line) > 0)
  const [lines, setLines] = useState<Record<number, Line>>({})
  const [amounts, setAmounts] = useState<ByMethod>({})
  const [credit, setCredit] = useState<string | null>(null)
  const [ids, setIds] = useState<ByMethod>({})
  const [reason, setReason] = useState('')
  const { send, busy, errors, approval, endApproval, receipt, isCopy, printAgain } = useReturn(sale)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  useFocusError(errors)

  const lineOf = (id: number): Line => lines[id] ?? { quantity: '', spoiled: false }
  const change = (id: number, changes: Partial<Line>) => setLines((now) => ({ ...now, [id]: { ...lineOf(id), ...changes } }))
  const chosen = open.filter((line) => lineOf(line.productId).quantity.trim() !== '')
  const read = chosen.map((line) => ({
    productId: line.productId,
    quantityMilli: readReturnedQuantity(lineOf(line.productId).quantity) ?? 0,
  }))
  const fits = read.every(({ quantityMilli }, at) => quantityMilli > 0 && returnQuantityProblem(chosen[at]!, quantityMilli) === null)
  const { refund, worth } = fits && read.length > 0 ? returnSums(sale, read) : { refund: ZERO, worth: ZERO }
  const noncash = noncashMethods(methods)
  const typed = noncash.map((method) => ({ method, amount: typedAmount(amounts[method] ?? '') ?? ZERO })).filter(({ amount }) => amount > 0)
  const other: Tender = { cash: ZERO, bkash: ZERO, bank: ZERO, ...Object.fromEntries(typed.map(({ method, amount }) => [method, amount])) }
  const required = creditRequired(refund, sale)
  const typedCredit = credit ?? (required > 0 ? (required / 100).toFixed(2) : '')
  const storeCredit = typedAmount(typedCredit) ?? ZERO
  const cash = autoCash(refund, noncashOf(other), storeCredit)
  const money = { ...other, cash: roundsCash && cash > 0 ? roundedRefund(cash, sale.cashCarried) : cash }
  const isUnreadable = [typedCredit, ...noncash.map((method) => amounts[method] ?? '')].some((text) => typedAmount(text) === null)
  const isTooMuch = cash + noncashOf(other) + storeCredit !== refund

  function submit(event: FormEvent) {
    event.preventDefault()
    const body = {
      lines: read.map(({ productId, quantityMilli }) => ({
        product_id: productId,
        quantity: String(quantityMilli / 1000),
        spoiled: lineOf(productId).spoiled,
      })),
      reason,
      refund: {
        cash: poishaToTaka(money.cash),
        ...Object.fromEntries(typed.map(({ method, amount }) => [method, poishaToTaka(amount)])),
        ...(storeCredit > 0 ? { store_credit: poishaToTaka(storeCredit) } : {}),
      },
      transaction_ids: Object.fromEntries(typed.map(({ method }) => [method, ids[method] ?? ''])),
      returns: sale.returns.length,
    }
    void send(body)
  }
  if (receipt) return <RecordedReturn receipt={receipt} isCopy={isCopy} onPrint={printAgain} />
  const named = chosen.map((line, at) => ({ ...read[at]!, name: line.name, unit: line.unit, spoiled: lineOf(line.productId).spoiled }))
  const exchanged = { orderId: sale.id, lines: named, reason, refund, cashCarried: sale.cashCarried }
  const error = (field: string) => errors[field]?.[0]
  const offAccount = t('pos.return.off-account', { amount: formatTaka(poisha(worth - refund), lang) })
  return (
    <>
      <form ref={form} onSubmit={submit} className="space-y-4 pb-28 sm:pb-0">
        <ul aria-label={t('pos.return.what')} className="divide-y divide-line rounded-card border border-line bg-milk">
          {open.map((line) => {
            const at = chosen.indexOf(line)
            const problem = error(`lines.${at}.quantity`) ?? error(`lines.${at}.product_id`)
            return <ReturnLine key={line.productId} line={line} value={lineOf(line.productId)} problem={problem} onChange={change} />
          })}
        </ul>
        {errors.lines ? <p className="font-semibold text-terracotta">{errors.lines[0]}</p> : null}
        <TextField
          name="reason"
          label={t('pos.return.why')}
          maxLength={TEXT_LIMIT}
          autoComplete="off"
          required
          value={reason}
          error={error('reason')}
          onChange={({ target }) => setReason(target.value)}
        />
        <section aria-labelledby="return-refund" className="space-y-3 rounded-card border border-line bg-milk p-4">
          <h2 id="return-refund" className="text-lg">
            {t('pos.return.refund')}
          </h2>
          <div className="grid gap-3 sm:grid-cols-3">
            <TextField
              label={t('pos.cash')}
              readOnly
              className="tabular-nums bg-sand"
              value={localizeDigits(lang, (money.cash / 100).toFixed(2))}
              error={error('refund.cash')}
            />
            {noncash.map((method) => (
              <Money
                key={method}
                label={t(`pos.${method}`)}
                value={amounts[method] ?? ''}
                onChange={(amount) => setAmounts((now) => ({ ...now, [method]: amount }))}
                error={isTooMuch && method === (typed[0]?.method ?? 'bkash') ? t('pos.return.more-than-refund') : error(`refund.${method}`)}
              />
            ))}
            {sale.customerId === null ? null : (
              <Money
                label={t('pos.store_credit')}
                value={typedCredit}
                onChange={setCredit}
                error={isTooMuch && typed.length === 0 ? t('pos.return.more-than-refund') : error('refund.store_credit')}
              />
            )}
          </div>
          {typed.map(({ method }) => (
            <TextField
              key={method}
              label={t('pos.transaction', { method: t(`pos.${method}`) })}
              value={ids[method] ?? ''}
              maxLength={MAX_TYPED_TRANSACTION_ID_LENGTH}
              autoComplete="off"
              autoCapitalize="characters"
              error={error(`transaction_ids.${method}`)}
              onChange={({ target }) => setIds((now) => ({ ...now, [method]: target.value }))}
            />
          ))}
        </section>
        <div className="flex items-center justify-between gap-4 max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:z-20 max-sm:border-t max-sm:border-line max-sm:bg-milk max-sm:px-4 max-sm:py-2">
          <p>
            <span className="block text-sm text-stone">{t('pos.return.refund')}</span>
            <b className="tabular-nums text-2xl" data-refund>
              {formatTaka(poisha(tenderedOf(money) + storeCredit), lang)}
            </b>
            {money.cash === cash ? null : (
              <span className="block text-sm text-stone">
                {t('ledger.rounding')} <span className="whitespace-nowrap">{formatTaka(poisha(money.cash - cash), lang)}</span>
              </span>
            )}
            {worth === refund ? null : <span className="block text-sm text-stone">{offAccount}</span>}
            {allowance !== null && worth > allowance ? (
              <span className="block text-sm font-semibold text-indigo">{t('pos.return.supervisor-needed')}</span>
            ) : null}
            {errors.refund ? <span className="block text-sm font-semibold text-terracotta">{errors.refund[0]}</span> : null}
          </p>
          <div className="flex flex-wrap justify-end gap-2">
            <ExchangeButton chosen={exchanged} customer={sale} disabled={!fits || read.length === 0} />
            <Button type="submit" size="large" busy={busy} disabled={!fits || read.length === 0 || isTooMuch || isUnreadable}>
              {t('pos.return.do')}
            </Button>
          </div>
        </div>
      </form>
      {approval ? (
        <SupervisorDialog action={t('pos.return.approve')} onClose={endApproval} onApprove={approval.approve}>
          <p className="mt-2">{approval.text}</p>
          <ul className="mt-2 list-disc space-y-1 ps-5">
            {chosen.map((line, at) => (
              <li key={line.productId} className="wrap-anywhere">
                {line.name}: {formatQuantity(read[at]!.quantityMilli, line.unit, lang)},{' '}
                {t(lineOf(line.productId).spoiled ? 'pos.return.spoiled' : 'pos.return.stock')}
              </li>
            ))}
          </ul>
          <p className="mt-3 border-t border-line pt-2 font-semibold">
            {t('pos.return.of', { amount: formatTaka(refund, lang), id: localizeDigits(lang, String(sale.id)) })}
          </p>
          {worth === refund ? null : <p>{offAccount}</p>}
        </SupervisorDialog>
      ) : null}
    </>
  )
}

interface PendingApproval {
  /** Why a supervisor is needed. */
  text: string
  approve: Approve
}

/** Sends the return under one idempotency key, then prints its receipt from this page. Beyond the cashier's limit it asks for a supervisor. */
function useReturn({ id, returns }: SoldSale) {
  const { t } = useI18n()
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const [approval, setApproval] = useState<PendingApproval | null>(null)
  const { record, ...printed } = useReturnReceipt()
  // The number of returns is part of the key: the same return after a completed one is a new return.
  const form = `pos-return:${id}:${returns.length}`
  /** With a supervisor: the error text of the code; null for every other response. */
  async function send(body: object, supervisor: TypedSupervisor | null = null): Promise<string | null> {
    setBusy(true)
    const answer = await call<Answer>(`/admin/quick-orders/return/${id}`, {
      method: 'POST',
      body: supervisor ? { ...body, supervisor } : body,
      headers: { 'idempotency-key': attemptKey(form, JSON.stringify(body)) },
    })
    if (answer.ok) endAttempt(form)
    if (answer.ok && answer.body?.redirect) {
      await record({ ...answer.body, redirect: answer.body.redirect })
      return null
    }
    setBusy(false)
    const message = answer.noResponse ? t('pos.return.offline') : (answer.body?.message ?? t('pos.failed'))
    const rejected = answer.body?.errors ?? {}
    if (supervisor && needsAnotherCode(answer)) return message
    if (answer.body?.reason === 'approval') {
      setErrors({})
      setApproval({ text: message, approve: (typed) => send(body, typed) })
      return null
    }
    setApproval(null)
    setErrors(answer.body?.reason === 'returned' ? { lines: [message] } : rejected)
    showToast(t('pos.error', { message }), { kind: 'error', milliseconds: TOAST_TIME })
    return null
  }
  return { send, busy, errors, approval, endApproval: () => setApproval(null), ...printed }
}
