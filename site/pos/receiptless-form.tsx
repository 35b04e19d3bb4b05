import type { FormEvent } from 'react'
import { focusBeside } from '#components/focus-beside.ts'
import { Button } from '#components/button.tsx'
import { SelectField, TextField } from '#components/field.tsx'
import { type ExtraMethod, lineQuantity, quantityProblem } from '#features/pos/rules.ts'
import { MAX_TYPED_PHONE_LENGTH } from '#lib/format/input-limits.ts'
import { formatTaka, poisha } from '#lib/format/money.ts'
import { formatQuantity, localizeDigits } from '#lib/format/numbers.ts'
import { TEXT_LIMIT } from '#lib/format/text.ts'
import { useI18n } from '#page/page-context.tsx'
import { useFocusError } from './focus-field.ts'
import { RefundMethod } from './refund-method.tsx'
import { typedAmount } from './sale.ts'
import { SupervisorDialog } from './supervisor-dialog.tsx'
import type { ReceiptlessLine, ReceiptlessModel } from './use-receiptless-return.ts'
import { LocalTakaField } from './local-taka-field.tsx'
import { useLocalDigits } from './use-local-digits.ts'

/** The lines of a return without a receipt, the customer, the reason and the refund. */
export function ReceiptlessForm({ model, methods }: { model: ReceiptlessModel; methods: readonly ExtraMethod[] }) {
  const { t, lang } = useI18n()
  const { lines, errors, worth, refund, busy, approval } = model
  useFocusError(errors)
  const error = (field: string) => errors[field]?.[0]
  const canSend = worth > 0 && lines.every((line) => quantityProblem(line) === null && typedAmount(line.typedPrice) !== null)
  function submit(event: FormEvent) {
    event.preventDefault()
    void model.send()
  }
  return (
    <>
      <form onSubmit={submit} className="mt-2 space-y-4 pb-28 sm:pb-0" autoComplete="off">
        <ul aria-label={t('pos.return.what')} data-returned className="divide-y divide-line rounded-card border border-line bg-milk">
          {lines.length === 0 ? <li className="p-4 text-stone">{t('pos.receiptless.none')}</li> : null}
          {lines.map((line, at) => (
            <Line key={line.id} line={line} model={model} errorOf={(field) => error(`lines.${at}.${field}`)} />
          ))}
        </ul>
        {error('lines') ? (
          <p role="alert" className="font-semibold text-terracotta">
            {error('lines')}
          </p>
        ) : null}
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            name="phone"
            label={t('pos.phone')}
            type="tel"
            inputMode="tel"
            maxLength={MAX_TYPED_PHONE_LENGTH}
            required
            value={model.phone}
            error={error('phone')}
            onChange={({ target }) => model.setPhone(target.value)}
          />
          <TextField
            name="reason"
            label={t('pos.return.why')}
            maxLength={TEXT_LIMIT}
            required
            value={model.reason}
            error={error('reason')}
            onChange={({ target }) => model.setReason(target.value)}
          />
        </div>
        <RefundMethod {...model.payment} methods={methods} errors={errors} onChange={model.setPayment} />
        <div className="flex items-center justify-between gap-4 max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:z-20 max-sm:border-t max-sm:border-line max-sm:bg-milk max-sm:px-4 max-sm:py-2">
          <p>
            <span className="block text-sm text-stone">{t('pos.return.refund')}</span>
            <b className="tabular-nums text-2xl" data-refund>
              {formatTaka(refund, lang)}
            </b>
            {refund === worth ? null : (
              <span className="block text-sm text-stone">
                {t('ledger.rounding')} {formatTaka(poisha(refund - worth), lang)}
              </span>
            )}
            {error('refund') ? <span className="block text-sm font-semibold text-terracotta">{error('refund')}</span> : null}
          </p>
          <Button type="submit" size="large" busy={busy} disabled={!canSend}>
            {t('pos.return.do')}
          </Button>
        </div>
      </form>
      {approval ? (
        <SupervisorDialog action={t('pos.return.approve')} onClose={model.endApproval} onApprove={(typed) => model.send(typed)}>
          <p className="mt-2">{approval.text}</p>
          <ul className="mt-2 list-disc space-y-1 ps-5">
            {lines.map((line) => (
              <li key={line.id} className="wrap-anywhere">
                {line.name}: {formatQuantity(lineQuantity(line) ?? 0, line.unit, lang)},{' '}
                {t(line.spoiled ? 'pos.return.spoiled' : 'pos.return.stock')}, {formatTaka(model.valueOf(line), lang)}
              </li>
            ))}
          </ul>
          <p className="mt-3 border-t border-line pt-2 font-semibold">
            {t('pos.receiptless.of', { amount: formatTaka(refund, lang), phone: localizeDigits(lang, model.phone) })}
          </p>
        </SupervisorDialog>
      ) : null}
    </>
  )
}

interface LineProps {
  line: ReceiptlessLine
  model: ReceiptlessModel
  errorOf: (field: string) => string | undefined
}

function Line({ line, model, errorOf }: LineProps) {
  const { t, lang } = useI18n()
  const { id, name, quantity, typedPrice, spoiled } = line
  const field = useLocalDigits(quantity)
  const isPriceHigh = (typedAmount(typedPrice) ?? 0) > line.price
  const priceProblem =
    typedAmount(typedPrice) === null
      ? t('pos.amount-invalid')
      : isPriceHigh
        ? t('pos.receiptless.price', { max: formatTaka(line.price, lang) })
        : undefined
  return (
    <li className="relative grid gap-x-4 gap-y-2 p-3 sm:grid-cols-[minmax(0,1fr)_8rem_9rem_11rem_auto] sm:items-start">
      <div className="min-w-0 max-sm:pe-12">
        <p className="font-semibold break-words">{name}</p>
        <p className="tabular-nums text-sm text-stone">{formatTaka(model.valueOf(line), lang)}</p>
        {errorOf('product_id') ? <p className="text-sm font-semibold text-terracotta">{errorOf('product_id')}</p> : null}
      </div>
      <TextField
        label={t('pos.return.quantity')}
        aria-label={t('pos.return.quantity-of', { name })}
        inputMode="decimal"
        className="tabular-nums text-center"
        value={field.shown}
        error={errorOf('quantity') ?? (quantityProblem(line) === null ? undefined : t('pos.problem.quantity'))}
        onChange={({ target }) => {
          field.type(target.value)
          model.change(id, { quantity: target.value })
        }}
        onBlur={field.leave}
      />
      <LocalTakaField
        label={t('pos.receiptless.unit-price')}
        aria-label={t('pos.receiptless.price-of', { name })}
        value={typedPrice}
        error={errorOf('price') ?? priceProblem}
        onChange={(typed) => model.change(id, { typedPrice: typed })}
      />
      <SelectField
        label={t('pos.return.where')}
        aria-label={t('pos.return.where-of', { name })}
        value={spoiled ? 'spoiled' : 'stock'}
        onChange={({ target }) => model.change(id, { spoiled: target.value === 'spoiled' })}
      >
        <option value="stock">{t('pos.return.stock')}</option>
        <option value="spoiled">{t('pos.return.spoiled')}</option>
      </SelectField>
      <Button
        kind="quiet"
        className="max-sm:absolute max-sm:end-1 max-sm:top-1 sm:mt-7"
        aria-label={t('pos.receiptless.remove', { name })}
        onClick={(event) => {
          focusBeside(event, 'li')
          model.remove(id)
        }}
      >
        ✕
      </Button>
    </li>
  )
}
