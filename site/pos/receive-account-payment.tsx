import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { SelectField, TextField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import { accountRounding } from '#features/pos/account/account-rules.ts'
import { type ExtraMethod, type PaymentMethod, STANDARD_METHODS, TOAST_TIME } from '#features/pos/rules.ts'
import { MAX_TYPED_TRANSACTION_ID_LENGTH } from '#lib/format/input-limits.ts'
import { formatTaka, type Poisha, poisha, poishaToTaka, takaToPoisha, ZERO } from '#lib/format/money.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { attemptKey, endAttempt } from '../admin/ui/idempotency-key.ts'
import { useFocusError } from './focus-field.ts'
import { typedAmount } from './sale.ts'
import { LocalTakaField } from './local-taka-field.tsx'

interface ReceivePaymentProps {
  /** Where the payment is sent: at the POS or in the admin. */
  url: string
  owed: Poisha
  /** Whether cash is rounded to whole taka. */
  roundsCash: boolean
  methods: readonly ExtraMethod[]
}

type Answer = { redirect?: string; message?: string; errors?: Record<string, string[]>; owed?: number }

/** A payment on account by any method; cash shows the change. It is sent under one idempotency key, then its receipt opens. */
export function ReceiveAccountPayment({ url, owed: shown, roundsCash, methods }: ReceivePaymentProps) {
  const { t, lang } = useI18n()
  const [owed, setOwed] = useState(shown)
  const [amount, setAmount] = useState((owed / 100).toFixed(2))
  const [method, setMethod] = useState<PaymentMethod>('cash')
  const [received, setReceived] = useState('')
  const [id, setId] = useState('')
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const [busy, setBusy] = useState(false)
  useFocusError(errors)
  const error = (field: string) => errors[field]?.[0]
  const typed = typedAmount(amount) ?? ZERO
  const rounding = roundsCash && method === 'cash' ? accountRounding(typed, owed) : ZERO
  const toPay = poisha(typed + rounding)
  const change = (typedAmount(received) ?? 0) - toPay
  // What is owed is part of the key: the same amount after a recorded payment is a new payment.
  const form = `${url}:${owed}`

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    const body = { amount, method, owed: poishaToTaka(owed), ...(method === 'cash' ? { received } : { transaction_id: id }) }
    const answer = await call<Answer>(url, { method: 'POST', body, headers: { 'idempotency-key': attemptKey(form, JSON.stringify(body)) } })
    if (answer.ok) {
      endAttempt(form)
      return location.assign(`${answer.body.redirect}?print=1`)
    }
    setBusy(false)
    setErrors(answer.body?.errors ?? {})
    if (answer.body?.owed !== undefined) setOwed(takaToPoisha(answer.body.owed))
    const message = answer.noResponse ? t('pos.return.offline') : (answer.body?.message ?? t('pos.failed'))
    showToast(t('pos.error', { message }), { kind: 'error', milliseconds: TOAST_TIME })
  }
  return (
    <form onSubmit={submit} className="space-y-3" aria-label={t('pos.account.receive')}>
      <div className="grid gap-3 sm:grid-cols-2">
        <LocalTakaField
          name="amount"
          label={t('pos.amount')}
          className="text-end text-lg"
          value={amount}
          error={error('amount')}
          onFocus={({ target }) => target.select()}
          onChange={setAmount}
        />
        <SelectField
          name="method"
          label={t('pos.payment')}
          value={method}
          error={error('method')}
          onChange={({ target }) => setMethod(target.value as PaymentMethod)}
        >
          {[...STANDARD_METHODS, ...methods].map((one) => (
            <option key={one} value={one}>
              {t(`pos.${one}`)}
            </option>
          ))}
        </SelectField>
        {method === 'cash' ? (
          <LocalTakaField
            name="received"
            label={t('pos.account.received')}
            optionalLabel={t('pos.optional')}
            className="text-end text-lg"
            value={received}
            error={error('received')}
            onChange={setReceived}
          />
        ) : (
          <TextField
            name="transaction_id"
            label={t('pos.transaction', { method: t(`pos.${method}`) })}
            optionalLabel={t('pos.optional')}
            autoComplete="off"
            autoCapitalize="characters"
            maxLength={MAX_TYPED_TRANSACTION_ID_LENGTH}
            value={id}
            error={error('transaction_id')}
            onChange={({ target }) => setId(target.value)}
          />
        )}
        {rounding === 0 ? null : (
          <p role="status" className="tabular-nums self-end pb-2 text-stone">
            {t('ledger.rounding')} {formatTaka(rounding, lang)} · <b className="text-xl text-ink">{formatTaka(toPay, lang)}</b>
          </p>
        )}
        {method === 'cash' && change > 0 ? (
          <p role="status" className="tabular-nums self-end pb-2 text-xl font-semibold text-indigo">
            {t('pos.change')} {formatTaka(poisha(change), lang)}
          </p>
        ) : null}
      </div>
      <Button type="submit" size="large" busy={busy}>
        {t('pos.account.receive')}
      </Button>
    </form>
  )
}
