import { quickTender } from '#features/pos/quick-tender.ts'
import { formatTaka, type Poisha, poishaToTaka } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { typedAmount } from './sale.ts'

interface QuickTenderProps {
  /** The cash that is due. */
  due: Poisha
  /** The cash as typed; null: exactly what is due. */
  cash: string | null
  onChange: (cash: string | null) => void
}

/** Buttons for the cash that customers hand over: the exact amount, and the next sums of notes. */
export function QuickTenderButtons({ due, cash, onChange }: QuickTenderProps) {
  const { t, lang } = useI18n()
  if (due <= 0) return null
  const typed = cash === null ? null : typedAmount(cash)
  const button = (label: string, isChosen: boolean, value: string | null, index = 0) => (
    <button
      // Another total changes the labels of the same buttons.
      key={index}
      type="button"
      aria-pressed={isChosen}
      className="tabular-nums min-h-11 grow rounded-card border border-stone/80 bg-white px-2 font-semibold hover:bg-leaf-100 aria-pressed:border-leaf-600 aria-pressed:bg-leaf-100"
      onClick={() => onChange(value)}
    >
      {label}
    </button>
  )
  return (
    <div role="group" aria-label={t('pos.quick-cash')} className="flex flex-wrap justify-end gap-1.5">
      {button(t('pos.cash-exact'), cash === null, null)}
      {quickTender(due).map((amount, index) => button(formatTaka(amount, lang), typed === amount, String(poishaToTaka(amount)), index))}
    </div>
  )
}
