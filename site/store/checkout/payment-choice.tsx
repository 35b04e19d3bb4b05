import { ServerOnly } from '#components/server-only.tsx'
import { TakaField } from '#components/taka-field.tsx'
import type { PaymentChoice as Choice, PaymentOption } from '#features/orders/checkout/checkout-rules.ts'
import { partialProblemText } from '#features/pricing/refusal-text.ts'
import { formatTaka, poishaToTaka } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { MARKS_ID } from './marks-id.ts'
import type { Checkout } from './use-checkout.ts'

const NAMES = { full: 'payment.full', partial: 'payment.partial', cash_on_delivery: 'payment.cod', advance: 'payment.advance' } as const

/** The payment options of this order, each with its amount in taka. */
export function PaymentChoice({ checkout }: { checkout: Checkout }) {
  const { t, lang } = useI18n()
  const { options, quote, change, option, shop, isPhoneConfirmed } = checkout
  const amount = formatTaka(quote.total, lang)
  const minimum = formatTaka(quote.partial.minimum, lang)
  const { sendsSms } = usePageContext()
  const texts: Record<Choice, string> = {
    full: quote.isFree ? t('payment.free-text') : t('payment.full-text', { amount }),
    partial: t('payment.partial-text', { amount: formatTaka(quote.partial.online.min, lang) }),
    cash_on_delivery: t('payment.cod-text', { amount }),
    advance: t('payment.advance-text', {
      amount: minimum,
      minutes: isPhoneConfirmed ? '' : localizeDigits(lang, String(shop.advanceMinutes)),
      hours: isPhoneConfirmed || sendsSms ? localizeDigits(lang, String(shop.advanceHours)) : '',
    }),
  }
  // A partial payment starts with the suggested amount, which is always valid.
  const choose = (choice: Choice) =>
    change({ choice, ...(choice === 'partial' ? { part: localizeDigits(lang, String(poishaToTaka(quote.partial.suggested))) } : {}) })
  return (
    <fieldset className="rounded-card border border-line bg-milk p-4 sm:p-6">
      <legend className="float-start mb-3 w-full text-lg font-semibold">{t('payment.title')}</legend>
      <div className="clear-both space-y-2.5">
        <ServerOnly id="payment-marks" source={MARKS_ID}>
          {null}
        </ServerOnly>
        {options.map((one) => (
          <Option
            key={one.choice}
            option={one}
            name={t(NAMES[one.choice])}
            text={texts[one.choice]}
            isGuest={shop.account === null}
            chosen={option?.choice === one.choice}
            onChoose={() => choose(one.choice)}
          >
            {one.choice === 'partial' && option?.choice === 'partial' ? <PartField checkout={checkout} /> : null}
          </Option>
        ))}
      </div>
    </fieldset>
  )
}

interface OptionProps {
  option: PaymentOption
  name: string
  text: string
  isGuest: boolean
  chosen: boolean
  onChoose: () => void
  children: React.ReactNode
}

function Option({ option, name, text, isGuest, chosen, onChoose, children }: OptionProps) {
  const { t } = useI18n()
  const { problem, choice } = option
  const id = `pay-${choice}`
  return (
    <div className={`rounded-card border ${chosen ? 'border-leaf-600 bg-leaf-100/60 ring-1 ring-leaf-600' : 'border-stone/40 bg-white'}`}>
      <label htmlFor={id} className={`flex items-start gap-3 px-3.5 py-3 ${problem === null ? '' : 'cursor-not-allowed!'}`}>
        <input
          id={id}
          type="radio"
          name="payment"
          value={choice}
          checked={chosen}
          disabled={problem !== null}
          onChange={onChoose}
          aria-describedby={`${id}-text`}
          className="mt-1 size-5 shrink-0 accent-leaf-600"
        />
        <span className="min-w-0">
          <span className={`block font-semibold ${problem === null ? '' : 'text-stone'}`}>{name}</span>
          <span id={`${id}-text`} className={`block text-sm ${problem === null ? 'text-stone' : 'text-terracotta'}`}>
            {problem === null ? (
              text
            ) : problem !== 'payment.cod-code' ? (
              t(problem)
            ) : isGuest ? (
              <a href="/login?next=/cart%23preview" className="underline underline-offset-4">
                {t(problem)}
              </a>
            ) : (
              t('payment.cod-phone')
            )}
          </span>
        </span>
      </label>
      {children}
    </div>
  )
}

function PartField({ checkout }: { checkout: Checkout }) {
  const { t, lang } = useI18n()
  const { quote, draft, change } = checkout
  const wrong = quote.problems.find((problem) => problem.reason === 'partial-amount')
  const error = wrong ? partialProblemText(wrong.problem, t, lang) : null
  const { min, max } = quote.partial.online
  return (
    <div className="border-t border-leaf-600/25 px-3.5 pt-3 pb-4">
      <TakaField
        id="part"
        name="part"
        label={t('payment.amount')}
        hint={t('payment.amount-hint', { min: formatTaka(min, lang), max: formatTaka(max, lang) })}
        error={error}
        value={draft.part}
        className="max-w-56 text-lg font-semibold"
        onChange={(event) => change({ part: event.target.value })}
      />
    </div>
  )
}
