import { Button } from '#components/button.tsx'
import { discountLabel } from '#features/orders/ui/invoice-amounts.ts'
import { formatTaka, type Poisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import type { SaleState, PosProblem } from './sale.ts'
import { useProblemText } from './sale-problem.ts'

interface SummaryProps {
  count: number
  state: SaleState
  busy: boolean
  onSubmit: () => void
  /** Moves the focus to the missing input. */
  onProblem: (problem: PosProblem) => void
}

/** Font sizes by the length of the amount: large enough to read from a metre, and never cut off. */
const BIG = [
  [9, 'text-5xl'],
  [12, 'text-4xl'],
  [16, 'text-3xl'],
  [Infinity, 'text-xl'],
] as const
const SMALL = [
  [11, 'text-xl'],
  [16, 'text-base'],
  [20, 'text-sm'],
  [Infinity, 'text-xs'],
] as const

/** An exchange has an amount to pay, or one to refund. */
const totalLabel = ({ credit, paidBack }: SaleState) =>
  paidBack > 0 ? 'pos.exchange.to-refund' : credit > 0 ? 'pos.exchange.to-pay' : 'pos.total'

const sizeFor = (text: string, sizes: typeof BIG | typeof SMALL) => sizes.find(([max]) => text.length <= max)?.[1] ?? ''

/** The totals on a desktop, readable from a metre. */
export function PosSummary({ count, state, busy, onSubmit, onProblem }: SummaryProps) {
  const { t, lang } = useI18n()
  const { sums, coupon, rounding, returned, paidBack, onAccount, storeCredit, change, problem } = state
  const total = formatTaka(paidBack > 0 ? paidBack : state.toPay, lang)
  const part = (label: string, value: string) => (
    <div className="flex gap-2">
      <dt className="text-stone">{label}</dt>
      <dd className="font-semibold">{value}</dd>
    </div>
  )
  const amount = (label: string, value: Poisha) => (value === 0 ? null : part(label, formatTaka(value, lang)))
  return (
    <section aria-label={t('pos.summary')} className="shrink-0 rounded-card border-2 border-leaf-600 bg-milk px-3 py-2 max-lg:hidden">
      <dl className="tabular-nums flex flex-wrap justify-between gap-x-4 text-sm">
        {part(t('pos.items'), localizeDigits(lang, String(count)))}
        {part(t('pos.sub-total'), formatTaka(sums.subtotal, lang))}
        {amount(t('pos.delivery'), sums.shipping)}
        {amount(discountLabel(t, coupon), -sums.discount as Poisha)}
        {amount(t('pos.exchange.value'), -returned as Poisha)}
        {amount(t('ledger.rounding'), rounding)}
        {amount(t('pos.account.on-account'), onAccount)}
        {amount(t('pos.store_credit'), storeCredit)}
      </dl>
      <dl className="tabular-nums">
        <div className="flex items-baseline justify-between gap-4 font-semibold">
          <dt className="text-xl">{t(totalLabel(state))}</dt>
          <dd className={`${sizeFor(total, BIG)} min-w-0 text-end leading-tight break-words`} data-total>
            {total}
          </dd>
        </div>
        {change > 0 ? (
          <div className="flex items-baseline justify-between gap-4 font-semibold text-indigo">
            <dt>{t('pos.change')}</dt>
            <dd className="text-3xl leading-tight">{formatTaka(change, lang)}</dd>
          </div>
        ) : null}
      </dl>
      <Button size="large" full className="mt-1" busy={busy} disabled={problem !== null} onClick={onSubmit}>
        {t('pos.place')} <kbd className="kbd">F9</kbd>
      </Button>
      <Missing state={state} onProblem={onProblem} />
    </section>
  )
}

/** The totals on a phone, fixed at the bottom. */
export function PosBar({ count, state, busy, onSubmit, onProblem }: SummaryProps) {
  const { t, lang } = useI18n()
  const problemText = useProblemText()
  const { toPay, paidBack, change, problem } = state
  const cell = (label: string, value: string, size: string) => (
    <div className="min-w-0">
      <dt className="text-sm text-stone">{label}</dt>
      <dd className={`font-semibold ${size}`}>{value}</dd>
    </div>
  )
  const [total, back] = [formatTaka(paidBack > 0 ? paidBack : toPay, lang), formatTaka(change, lang)]
  return (
    <div className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-milk px-4 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] shadow-soft lg:hidden">
      {problem === null || problem === 'empty' ? null : <p className="pb-1 text-sm text-stone">{problemText(state)}</p>}
      <div className="flex items-center justify-between gap-3">
        <dl className="tabular-nums flex min-w-0 items-end gap-3">
          {cell(t('pos.items'), localizeDigits(lang, String(count)), 'text-base')}
          {cell(t(totalLabel(state)), total, sizeFor(total + back, SMALL))}
          {cell(t('pos.change'), back, sizeFor(total + back, SMALL))}
        </dl>
        {problem === null || problem === 'empty' ? (
          <Button size="medium" className="shrink-0" busy={busy} disabled={problem !== null} onClick={onSubmit}>
            {t('pos.place')}
          </Button>
        ) : (
          <Button size="medium" kind="secondary" className="shrink-0" onClick={() => onProblem(problem)}>
            {t('pos.next')}
          </Button>
        )}
      </div>
    </div>
  )
}

function Missing({ state, onProblem }: Pick<SummaryProps, 'state' | 'onProblem'>) {
  const problemText = useProblemText()
  const { problem } = state
  // The line is there without a problem too: the button above it never moves.
  if (problem === null) return <p className="min-h-11 lg:pointer-fine:min-h-9" />
  return (
    <button
      type="button"
      className="min-h-11 w-full rounded-card text-sm lg:pointer-fine:min-h-9 text-stone hover:bg-leaf-100"
      onClick={() => onProblem(problem)}
    >
      {problemText(state)}
    </button>
  )
}
