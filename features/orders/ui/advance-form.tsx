import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import { TAKA_INPUT } from '#components/taka-field.tsx'
import { AlertIcon } from '#components/icons.tsx'
import { MAX_TYPED_TRANSACTION_ID_LENGTH } from '#lib/format/input-limits.ts'
import { parseAmount, poishaToTaka } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { sanitizeText, TEXT_LIMIT } from '#lib/format/text.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { type AdvanceAccounts, offeredMethods } from '../advances/account-rules.ts'
import { normalizeTransactionId } from '../advances/transaction-id-rules.ts'
import { advanceToSend, canConfirmPhone } from '../printing/invoice-rules.ts'
import type { AdvanceMethod, OrderJson } from '../types.ts'
import { CopyButton } from './copy-button.tsx'
import { ExtendHold } from './extend-hold.tsx'
import { money } from './invoice-amounts.ts'
import { useAdvanceDraft } from './use-advance-draft.ts'

export interface AdvanceReport {
  method: AdvanceMethod
  transaction_id: string
  sender: string
  amount: number
}

interface AdvancePanelProps {
  order: OrderJson
  /** Null where the shop has no account. */
  payTo: AdvanceAccounts | null
  /** How long an order with a verified phone is held. */
  hours: number
  /** Sends the report; resolves to an error text when it was rejected. */
  onReport: (report: AdvanceReport) => Promise<string | null>
  /** Sends a code to the phone of the order; resolves to an error text when that fails. */
  onConfirmPhone: () => Promise<string | null>
  /** Other payment methods. */
  more?: React.ReactNode
}

/** An advance by bank or mobile money: the accounts, and the form that reports the transaction id; the shop's phone where it has no account. */
export function AdvancePanel({ order, payTo, hours, onReport, onConfirmPhone, more }: AdvancePanelProps) {
  const { t, lang } = useI18n()
  const { shop, sendsSms } = usePageContext()
  const [again, setAgain] = useState(false)
  const isChecking = order.advances.some((advance) => advance.state === 'waiting')
  const isBefore = order.advances.some((advance) => advance.state === 'waiting' && advance.is_duplicate)
  const tags = order.lines.flatMap((line) => line.tag_number ?? []).join(', ')
  const amount = money(advanceToSend(order), lang)
  const call = t('advance.call', { amount, phone: localizeDigits(lang, shop.phone) })
  const until = order.expires_at && formatDateTime(new Date(order.expires_at), lang)
  return (
    <section aria-labelledby="advance-title" className="rounded-card border border-line bg-milk p-4 sm:p-6 print:hidden">
      <h2 id="advance-title" className="text-xl">
        {t(isChecking ? 'payment-state.advance-checking' : 'advance.title')}
      </h2>
      {isChecking ? (
        <p role="status" className="mt-1">
          {t(isBefore ? 'advance.reported-before' : 'advance.sent', { sms: sendsSms })}
        </p>
      ) : (
        <>
          <p className="mt-1">{payTo ? t('advance.text', { amount, until }) : call}</p>
          {sendsSms && canConfirmPhone(order) ? <ExtendHold phone={order.phone} hours={hours} onConfirmPhone={onConfirmPhone} /> : null}
        </>
      )}
      <Reported order={order} />
      {!payTo ? null : isChecking && !again ? (
        <Button kind="quiet" className="needs-script -ms-4 mt-2 underline" onClick={() => setAgain(true)}>
          {t('advance.another')}
        </Button>
      ) : (
        <>
          <div className="mt-4 grid gap-3 sm:grid-cols-2">
            <Place name={t('advance.send-amount')} number={amount} copies={String(advanceToSend(order))} />
            {tags ? <Place name={t('advance.reference-name')} number={tags} /> : null}
            <Places payTo={payTo} />
          </div>
          <p className="without-script mt-4 font-semibold">{call}</p>
          <ReportForm
            order={order}
            payTo={payTo}
            onReport={async (report) => {
              const problem = await onReport(report)
              if (problem === null) setAgain(false)
              return problem
            }}
          />
        </>
      )}
      {more ? <div className="mt-5">{more}</div> : null}
    </section>
  )
}

function Reported({ order }: { order: OrderJson }) {
  const { t, lang } = useI18n()
  if (order.advances.length === 0) return null
  const isRefused = order.advances.at(-1)?.state === 'refused'
  return (
    <>
      <ul className="mt-3 divide-y divide-line rounded-tag border border-line bg-white px-3">
        {order.advances.map((advance) => (
          <li key={`${advance.method} ${advance.transaction_id}`} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
            <span className="break-all">
              {t(`advance.${advance.method}`)} · {advance.transaction_id}
            </span>
            <span className="tabular-nums">
              {money(advance.amount, lang)} · <b>{t(`advance.state.${advance.state}`)}</b>
            </span>
          </li>
        ))}
      </ul>
      {isRefused ? (
        <p className="mt-2 flex gap-2 font-semibold text-terracotta">
          <AlertIcon className="mt-0.5 shrink-0" />
          {t('advance.refused-text')}
        </p>
      ) : null}
    </>
  )
}

function Places({ payTo }: { payTo: AdvanceAccounts }) {
  const { t } = useI18n()
  const { bank, bkash, nagad } = payTo
  return (
    <>
      {bkash ? <Place name={t('advance.bkash')} number={bkash} /> : null}
      {nagad ? <Place name={t('advance.nagad')} number={nagad} /> : null}
      {bank.accountNumber ? (
        <div className="sm:col-span-2">
          <Place name={`${t('advance.bank')}: ${bank.bank}`} number={bank.accountNumber}>
            <p className="text-sm">{bank.accountName}</p>
            <p className="text-sm text-stone">
              {[
                bank.branch && `${t('advance.branch')}: ${bank.branch}`,
                bank.routingNumber && `${t('advance.routing')}: ${bank.routingNumber}`,
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </Place>
        </div>
      ) : null}
    </>
  )
}

interface PlaceProps {
  name: string
  number: string
  /** The copied text; default: the shown text without spaces. */
  copies?: string
  children?: React.ReactNode
}

function Place({ name, number, copies = number.replace(/\s/g, ''), children }: PlaceProps) {
  return (
    <div className="stitch flex items-center justify-between gap-3 rounded-card bg-white px-3.5 py-2.5 text-leaf-800">
      <div className="min-w-0 text-ink">
        <p className="text-sm text-stone">{name}</p>
        <p className="tabular-nums text-lg font-semibold break-words">{number}</p>
        {children}
      </div>
      <CopyButton text={copies} what={name} />
    </div>
  )
}

type Problems = Partial<Record<'method' | 'transaction_id' | 'sender' | 'amount' | 'form', string>>

function ReportForm({ order, payTo, onReport }: Pick<AdvancePanelProps, 'order' | 'onReport'> & { payTo: AdvanceAccounts }) {
  const { t, lang } = useI18n()
  const methods = offeredMethods(payTo)
  const { draft, change, discard } = useAdvanceDraft(order.id, payTo, {
    method: methods.length === 1 ? methods[0]! : null,
    transaction: '',
    amount: localizeDigits(lang, String(advanceToSend(order))),
    sender: '',
  })
  const { method, transaction, amount, sender } = draft
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const sent = parseAmount(amount)
    const found: Problems = {}
    if (method === null) found.method = t('advance.method-required')
    if (normalizeTransactionId(transaction, method) === null) found.transaction_id = t('advance.transaction-invalid')
    if (sanitizeText(sender) === '') found.sender = t('advance.sender-required')
    if (sent === null || sent <= 0) found.amount = t('advance.amount-invalid')
    setProblems(found)
    const first = Object.keys(found)[0]
    if (first !== undefined || method === null || sent === null)
      return document.getElementById(first === 'method' ? `by-${methods[0]}` : (first ?? ''))?.focus()
    setBusy(true)
    const error = await onReport({ method, transaction_id: transaction, sender, amount: poishaToTaka(sent) })
    setBusy(false)
    if (error === null) discard()
    else setProblems({ form: error })
  }

  return (
    <form onSubmit={submit} noValidate className="needs-script mt-5 space-y-4 border-t border-line pt-4">
      <MethodChoice methods={methods} chosen={method} error={problems.method} onChoose={(chosen) => change({ method: chosen })} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          id="transaction_id"
          label={t('advance.transaction')}
          hint={t('advance.transaction-hint')}
          value={transaction}
          error={problems.transaction_id}
          maxLength={MAX_TYPED_TRANSACTION_ID_LENGTH}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          onChange={(event) => change({ transaction: event.target.value })}
        />
        <TextField
          id="amount"
          label={t('advance.amount')}
          hint={t('advance.amount-hint', { amount: money(advanceToSend(order), lang) })}
          value={amount}
          error={problems.amount}
          {...TAKA_INPUT}
          onChange={(event) => change({ amount: event.target.value })}
        />
        <TextField
          id="sender"
          label={t('advance.sender')}
          value={sender}
          error={problems.sender}
          maxLength={TEXT_LIMIT}
          autoComplete="off"
          onChange={(event) => change({ sender: event.target.value })}
        />
      </div>
      {problems.form ? (
        <p role="alert" className="font-semibold text-terracotta">
          {problems.form}
        </p>
      ) : null}
      <Button type="submit" busy={busy} className="max-sm:w-full">
        {t(busy ? 'advance.sending' : 'advance.send')}
      </Button>
    </form>
  )
}

interface MethodChoiceProps {
  methods: readonly AdvanceMethod[]
  chosen: AdvanceMethod | null
  error: string | undefined
  onChoose(method: AdvanceMethod): void
}

function MethodChoice({ methods, chosen, error, onChoose }: MethodChoiceProps) {
  const { t } = useI18n()
  return (
    <fieldset aria-describedby={error ? 'method-error' : undefined}>
      <legend className="mb-1 font-semibold">{t('advance.method')}</legend>
      <div className="flex flex-wrap gap-2">
        {methods.map((method) => (
          <label
            key={method}
            className={`flex min-h-11 items-center gap-2 rounded-card border px-3.5 ${chosen === method ? 'border-leaf-600 bg-leaf-100 ring-1 ring-leaf-600' : 'border-stone/50 bg-white'}`}
          >
            <input
              id={`by-${method}`}
              type="radio"
              name="method"
              checked={chosen === method}
              onChange={() => onChoose(method)}
              className="size-5 accent-leaf-600"
            />
            {t(`advance.${method}`)}
          </label>
        ))}
      </div>
      {error ? (
        <p id="method-error" className="mt-1.5 text-sm font-semibold text-terracotta">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
