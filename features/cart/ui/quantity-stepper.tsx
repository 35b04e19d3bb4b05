import type { ReactNode } from 'react'
import { MinusIcon, PlusIcon, TrashIcon } from '#components/icons.tsx'
import { formatQuantity } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { quantityAfterMinus, quantityAfterPlus, quantityMilli, type CartItem } from '../rules.ts'

interface QuantityStepperProps {
  item: CartItem
  /** Stock in thousandths; null when not known. */
  stockMilli: number | null
  onChange: (quantity: number) => void
  /** At the smallest quantity minus removes the product. */
  onRemove?: () => void
  /** Shown below the quantity. */
  children?: ReactNode
}

// In a narrow card they shrink for the quantity too, which would else break into two lines.
const BUTTON =
  'grid h-11 w-[44px] min-w-6 shrink-9999 place-items-center rounded-card text-leaf-800 hover:bg-leaf-100 aria-disabled:pointer-events-none aria-disabled:text-stone/50'

/** Minus and plus step through the quantities that can be ordered. */
export function QuantityStepper({ item, stockMilli, onChange, onRemove, children }: QuantityStepperProps) {
  const { t, lang } = useI18n()
  const less = quantityAfterMinus(item)
  const more = quantityAfterPlus(item)
  const isLeast = less >= item.quantity
  const removes = isLeast && onRemove !== undefined
  const noMore = more === item.quantity || (stockMilli !== null && more * 1000 > stockMilli)
  return (
    <div
      role="group"
      aria-label={t('cart.quantity-of', { name: item.productName })}
      className={`inline-flex items-center rounded-card border border-stone/45 bg-white ${onRemove ? 'stepper' : ''}`}
    >
      <button
        type="button"
        className={BUTTON}
        // A disabled button would lose the focus.
        aria-disabled={isLeast && !removes}
        onClick={() => (removes ? onRemove() : isLeast || onChange(less))}
        aria-label={t(removes ? 'cart.remove-of' : 'cart.minus', { name: item.productName })}
      >
        {removes ? <TrashIcon size={18} /> : <MinusIcon size={18} />}
      </button>
      <output aria-live="polite" className={`tabular-nums text-center font-semibold ${onRemove ? '' : 'min-w-16'}`}>
        {formatQuantity(quantityMilli(item), item.Unit, lang)}
        {children}
      </output>
      <button
        type="button"
        className={BUTTON}
        aria-disabled={noMore}
        onClick={() => noMore || onChange(more)}
        aria-label={t('cart.plus', { name: item.productName })}
      >
        <PlusIcon size={18} />
      </button>
    </div>
  )
}
