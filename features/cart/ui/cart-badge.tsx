import { useEffect, useRef, useState } from 'react'
import { CartIcon } from '#components/icons.tsx'
import { digitsIn } from '#lib/numbers.ts'
import { useI18n } from '#site/app-root.tsx'
import { useCartCount } from './cart-store.ts'

const BUMP_MS = 500

/** The cart's picture with the number of its items; it stirs for half a second when that changes. */
export function CartBadge({ size = 24 }: { size?: number }) {
  const { t, lang } = useI18n()
  const known = useCartCount()
  const count = known ?? 0
  const bumping = useBump(known)
  return (
    <span className={`relative inline-grid place-items-center ${bumping ? 'cart-bump' : ''}`}>
      <CartIcon size={size} />
      {count > 0 ? (
        <span className="figures absolute -end-2.5 -top-2 grid h-5 min-w-5 place-items-center rounded-pill bg-tag px-1 text-xs leading-none font-semibold text-ink ring-2 ring-paper">
          <span aria-hidden="true">{digitsIn(lang, String(count))}</span>
          <span className="sr-only">{t('shell.cart-count', { count })}</span>
        </span>
      ) : null}
    </span>
  )
}

/** True for half a second after the count has changed; the first known count is no change. */
function useBump(count: number | null): boolean {
  const before = useRef<number | null>(null)
  const [bumping, setBumping] = useState(false)
  useEffect(() => {
    const changed = before.current !== null && before.current !== count
    before.current = count
    if (!changed) return
    setBumping(true)
    const end = setTimeout(() => setBumping(false), BUMP_MS)
    return () => clearTimeout(end)
  }, [count])
  return bumping
}
