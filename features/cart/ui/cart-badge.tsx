import { useEffect, useRef, useState } from 'react'
import { CartIcon } from '#components/icons.tsx'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { useCartCount } from './cart-store.ts'

const BUMP_MS = 500

/** The cart icon with the number of items. It is animated for half a second when the number changes. */
export function CartBadge() {
  const { t, lang } = useI18n()
  const known = useCartCount()
  const bumping = useBump(known)
  return (
    // CSS draws the number from `data-count`. Until hydration server/page/bootstrap-script.ts sets it.
    <span
      className={`cart-badge relative inline-grid place-items-center ${bumping ? 'cart-bump' : ''}`}
      data-count={known === null ? undefined : known && localizeDigits(lang, String(known))}
    >
      <CartIcon size={24} />
      {known ? <span className="sr-only">{t('shell.cart-count', { count: known })}</span> : null}
    </span>
  )
}

/** True for half a second after the count changed; the first known count is not a change. */
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
