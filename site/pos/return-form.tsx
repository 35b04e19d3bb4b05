import { TEXT_LIMIT } from '#lib/format/text.ts'
import { MAX_TYPED_TRANSACTION_ID_LENGTH } from '#lib/format/input-limits.ts'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { SelectField, TextField } from '#components/field.tsx'
import { TakaField } from '#components/taka-field.tsx'
import { showToast } from '#components/toast.tsx'
import { returnSums } from '#features/pos/return-rules.ts'
import { roundedRefund } from '#features/pos/rounding-rules.ts'
import { autoCash, noncashOf, type NoncashMethod, readPosQuantity, type Tender, tenderedOf, TOAST_TIME } from '#features/pos/rules.ts'
import type { NamedSoldLine, SoldSale } from '#features/pos/sale-queries.server.ts'
import { formatTaka, poisha, poishaToTaka, ZERO } from '#lib/format/money.ts'
import { localizeDigits, formatQuantity } from '#lib/format/numbers.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { attemptKey, endAttempt } from '../admin/ui/idempotency-key.ts'
import { ExchangeButton } from './exchange-button.tsx'
import type { Props } from './return.page.tsx'
import { typedAmount } from './sale.ts'
import { SupervisorDialog } from './supervisor-dialog.tsx'

type ByMethod = { [method in NoncashMethod]?: string }
type Line = { quantity: string; spoiled: boolean }
type Answer = { redirect?: string; message?: string; reason?: string; errors?: Record<string, string[]>; refund?: number }

const returnableOf = (line: NamedSoldLine) => line.quantityMilli - line.returnedMilli

/** Products and quantities to return, the reason, and the payment methods of the refund. */
export function ReturnForm({
  sale,
  allowance,
  roundsCash,
  methods,
}: Pick<Props, 'allowance' | 'roundsCash' | 'methods'> & { sale: SoldSale }) {
  const { t, lang } = useI18n()
  const open = sale.lines.filter((line) => returnableOf(line) > 0)
  const [lines, setLines] = useState<Record<number, Line>>({})
  const [amounts, setAmounts] = useState<ByMethod>({})
  const [ids, setIds] = useState<ByMethod>({})
  const [reason, setReason] = useState('')
  const { send, busy, errors, approval, endApproval } = useReturn(sale)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  const lineOf = (id: number): Line => lines[id] ?? { quantity: '', spoiled: false }
  const change = (id: number, changes: Partial<Line>) => setLines((now) => ({ ...now, [id]: { ...lineOf(id), ...changes } }))
  const chosen = open.filter((line) => lineOf(line.productId).quantity.trim() !== '')
  const read = chosen.map((line) => ({ productId: line.productId, quantityMilli: readPosQuantity(lineOf(line.productId).quantity) ?? 0 }))
  const fits = read.every(({ quantityMilli }, at) => quantityMilli > 0 && quantityMilli <= returnableOf(chosen[at]!))
  const refund = fits && read.length > 0 ? returnSums(sale, read).refund : ZERO
  const noncash: NoncashMethod[] = ['bkash', 'bank', ...methods]
  const typed = noncash.map((method) => ({ method, amount: typedAmount(amounts[method] ?? '') ?? ZERO })).filter(({ amount }) => amount > 0)
  const other: Tender = { cash: ZERO, bkash: ZERO, bank: ZERO, ...Object.fromEntries(typed.map(({ method, amount }) => [method, amount])) }
  const cash = autoCash(refund, noncashOf(other))
  const money = { ...other, cash: roundsCash && cash > 0 ? roundedRefund(cash, sale.cashCarried) : cash }
  const isTooMuch = cash + noncashOf(other) !== refund

  function submit(event: FormEvent) {
    event.preventDefault()
    const body = {
      lines: read.map(({ productId, quantityMilli }) => ({
        product_id: productId,
        quantity: String(quantityMilli / 1000),
        spoiled: lineOf(productId).spoiled,
      })),
      reason,
      refund: { cash: poishaToTaka(money.cash), ...Object.fromEntries(typed.map(({ method, amount }) => [method, poishaToTaka(amount)])) },
      transaction_ids: ids,
    }
    void send(body)
  }
  const named = chosen.map((line, at) => ({ ...read[at]!, name: line.name, unit: line.unit, spoiled: lineOf(line.productId).spoiled }))
  const exchanged = { orderId: sale.id, lines: named, reason, refund, cashCarried: sale.cashCarried }
  const error = (field: string) => errors[field]?.[0]
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
        <section aria-label={t('pos.return.refund')} className="space-y-3 rounded-card border border-line bg-milk p-4">
          <div className="grid gap-3 sm:grid-cols-3">
            <TextField
              label={t('pos.cash')}
              readOnly
              className="tabular-nums bg-sand"
              value={(money.cash / 100).toFixed(2)}
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
              {formatTaka(tenderedOf(money), lang)}
            </b>
            {money.cash === cash ? null : (
              <span className="block text-sm text-stone">
                {t('ledger.rounding')} {formatTaka(poisha(money.cash - cash), lang)}
              </span>
            )}
            {allowance !== null && refund > allowance ? (
              <span className="block text-sm font-semibold text-indigo">{t('pos.return.supervisor-needed')}</span>
            ) : null}
            {errors.refund ? <span className="block text-sm font-semibold text-terracotta">{errors.refund[0]}</span> : null}
          </p>
          <div className="flex flex-wrap justify-end gap-2">
            <ExchangeButton chosen={exchanged} customer={sale} disabled={!fits || read.length === 0} />
            <Button type="submit" size="large" busy={busy} disabled={!fits || read.length === 0 || isTooMuch}>
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
                {t(lineOf(line.productId).spoiled ? 'pos.return.spoiled' : 'pos.return.shelf')}
              </li>
            ))}
          </ul>
          <p className="mt-3 border-t border-line pt-2 font-semibold">
            {t('pos.return.of', { amount: formatTaka(refund, lang), id: localizeDigits(lang, String(sale.id)) })}
          </p>
        </SupervisorDialog>
      ) : null}
    </>
  )
}

interface ReturnLineProps {
  line: NamedSoldLine
  value: Line
  problem: string | undefined
  onChange: (id: number, changes: Partial<Line>) => void
}

function ReturnLine({ line, value, problem, onChange }: ReturnLineProps) {
  const { t, lang } = useI18n()
  const { productId, name, unit } = line
  const milli = readPosQuantity(value.quantity)
  const isWrong = value.quantity.trim() !== '' && (milli === null || milli > returnableOf(line))
  const amount = (of: number) => formatQuantity(of, unit, lang)
  const wrongText = milli === null ? t('pos.quantity-invalid') : t('pos.return.too-many', { left: amount(returnableOf(line)) })
  return (
    <li className="grid gap-x-4 gap-y-2 p-3 sm:grid-cols-[minmax(0,1fr)_14rem_12rem] sm:items-start">
      <div className="min-w-0">
        <p className="font-semibold break-words">{[name, line.tagNumber].filter(Boolean).join(' · ')}</p>
        <p className="tabular-nums text-sm text-stone">
          {t('pos.return.sold', { sold: amount(line.quantityMilli) })}
          {line.returnedMilli > 0 ? ` · ${t('pos.return.back-already', { back: amount(line.returnedMilli) })}` : ''} ·{' '}
          {formatTaka(line.total, lang)}
        </p>
      </div>
      <div className="flex items-start gap-2">
        <div className="grow">
          <TextField
            label={t('pos.return.quantity')}
            aria-label={t('pos.return.quantity-of', { name })}
            inputMode="decimal"
            autoComplete="off"
            className="tabular-nums text-center"
            value={value.quantity}
            error={problem ?? (isWrong ? wrongText : undefined)}
            onChange={({ target }) => onChange(productId, { quantity: target.value })}
          />
        </div>
        <Button
          kind="secondary"
          className="mt-7 min-h-12"
          onClick={() => onChange(productId, { quantity: String(returnableOf(line) / 1000) })}
        >
          {t('pos.return.all')}
          <span className="sr-only">: {name}</span>
        </Button>
      </div>
      <SelectField
        label={t('pos.return.where')}
        aria-label={t('pos.return.where-of', { name })}
        value={value.spoiled ? 'spoiled' : 'shelf'}
        onChange={({ target }) => onChange(productId, { spoiled: target.value === 'spoiled' })}
      >
        <option value="shelf">{t('pos.return.shelf')}</option>
        <option value="spoiled">{t('pos.return.spoiled')}</option>
      </SelectField>
    </li>
  )
}

function Money({
  label,
  value,
  onChange,
  error,
}: {
  label: string
  value: string
  onChange: (text: string) => void
  error: string | undefined
}) {
  const { t } = useI18n()
  return (
    <TakaField
      label={label}
      placeholder="0.00"
      value={value}
      error={typedAmount(value) === null ? t('pos.amount-invalid') : error}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

interface PendingApproval {
  /** Why a supervisor is needed. */
  text: string
  /** Sends the same return with the supervisor's phone and code; resolves to an error text, or null when the dialog is done. */
  approve: (supervisor: { phone: string; code: string }) => Promise<string | null>
}

/** Sends the return under one idempotency key, then prints its receipt. Beyond the cashier's limit it asks for a supervisor. */
function useReturn({ id, returns }: SoldSale) {
  const { t } = useI18n()
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const [approval, setApproval] = useState<PendingApproval | null>(null)
  // The number of returns is part of the key: the same return after a completed one is a new return.
  const form = `till-return:${id}:${returns.length}`
  /** With a supervisor: the error text of the code; null for every other response. */
  async function send(body: object, supervisor: { phone: string; code: string } | null = null): Promise<string | null> {
    setBusy(true)
    const answer = await call<Answer>(`/admin/quick-orders/return/${id}`, {
      method: 'POST',
      body: supervisor ? { ...body, supervisor } : body,
      headers: { 'idempotency-key': attemptKey(form, JSON.stringify(body)) },
    })
    if (answer.ok) endAttempt(form)
    if (answer.ok && answer.body?.redirect) {
      location.assign(`${answer.body.redirect}?print=1`)
      return null
    }
    setBusy(false)
    const message = answer.noResponse ? t('pos.return.offline') : (answer.body?.message ?? t('pos.failed'))
    const rejected = answer.body?.errors ?? {}
    if (supervisor && (answer.noResponse || answer.status === 429 || rejected.code)) return message
    if (answer.body?.reason === 'approval') {
      setErrors({})
      setApproval({ text: message, approve: (typed) => send(body, typed) })
      return null
    }
    setApproval(null)
    setErrors(rejected)
    showToast(t('pos.error', { message }), { kind: 'error', milliseconds: TOAST_TIME })
    return null
  }
  return { send, busy, errors, approval, endApproval: () => setApproval(null) }
}
