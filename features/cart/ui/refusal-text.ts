import type { Translate } from '#lib/i18n/translate.ts'
import type { AddOutcome } from './cart-store.ts'

/** Why a product was not added to the cart, and which one. */
export interface AddError {
  reason: Exclude<AddOutcome, 'added'>
  productId: number
  name: string
}

export interface ErrorProps {
  refusal: AddError | null
  onClose: () => void
}

/** The text of a product that could not be added to the cart. */
export function refusalText({ reason, name }: AddError, t: Translate): string {
  if (reason === 'already-in-cart') return t('catalog.duplicate-text')
  return t(reason === 'cart-full' ? 'catalog.cart-full' : 'catalog.cart-unsaved', { name })
}
