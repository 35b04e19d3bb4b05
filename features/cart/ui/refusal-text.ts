import type { Translate } from '#lib/i18n/translate.ts'
import type { AddOutcome } from './cart-store.ts'

/** Why a product was not added to the cart, and which one. */
export interface AddRefusal {
  reason: Exclude<AddOutcome, 'added'>
  productId: number
  name: string
}

export interface RefusalProps {
  refusal: AddRefusal | null
  onClose: () => void
}

export function refusalText({ reason, name }: AddRefusal, t: Translate): string {
  if (reason === 'already-in-cart') return t('catalog.duplicate-text')
  return t(reason === 'cart-full' ? 'catalog.cart-full' : 'catalog.cart-unsaved', { name })
}
