import { isPriceSet, type PosLine, quantityProblem, type QuantityProblem } from '#features/pos/rules.ts'
import { lineDiscount } from '#features/pos/discount-rules.ts'
import { formatNumber, formatQuantity, unitName } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'

interface LineNotesProps {
  id: string
  line: PosLine
  /** The stock that is left, in thousandths, when the line needs more. */
  shortage: number | null
  isOnline: boolean
  needsSupervisor: boolean
}

/** Errors and warnings of a line: an impossible quantity or discount, more than the known stock, and what needs the network. */
export function LineNotes({ id, line, shortage, isOnline, needsSupervisor }: LineNotesProps) {
  const { t, lang } = useI18n()
  const quantityText = useQuantityText()
  const problem = quantityProblem(line)
  const offline = isOnline ? null : offlineProblem(line, needsSupervisor)
  const stock = shortage === null ? '' : formatQuantity(shortage, line.unit, lang)
  const notes = [
    problem ? quantityText(problem, line) : null,
    lineDiscount(line) === null ? t('pos.discount-invalid') : null,
    shortage === null ? null : t(isOnline ? 'pos.beyond-stock' : 'pos.beyond-stock-offline', { left: stock }),
    offline ? t(offline) : null,
  ].filter((note) => note !== null)
  return (
    <span id={id} role="status" className="block text-sm font-semibold text-terracotta">
      {notes.map((note) => (
        <span key={note} className="block">
          {note}
        </span>
      ))}
    </span>
  )
}

function useQuantityText() {
  const { t, lang } = useI18n()
  return (problem: QuantityProblem, { unit, sizesMilli = [] }: PosLine) => {
    if (problem === 'unreadable') return t('pos.quantity-invalid')
    if (problem === 'over-limit') return t('refusal.quantity-limit')
    if (problem === 'whole-only') return t('pos.whole-only', { unit: unitName(unit, lang) })
    return t('pos.packs-only', {
      sizes: sizesMilli.map((milli) => formatNumber(milli / 1000, lang)).join(', '),
      unit: unitName(unit, lang),
    })
  }
}

/** Why a line cannot be sold offline. */
function offlineProblem(line: PosLine, needsSupervisor: boolean) {
  if (line.isAnimal) return 'pos.animal-needs-network'
  if (needsSupervisor && line.isHeld) return 'pos.alone.held'
  return needsSupervisor && isPriceSet(line) ? 'pos.alone.price' : null
}
