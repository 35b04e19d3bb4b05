import { useSyncExternalStore } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { PhoneIcon } from '#components/icons.tsx'
import { digitsIn } from '#lib/numbers.ts'
import { useI18n, useShell } from '#site/app-root.tsx'
import type { AddOutcome } from './cart-store.ts'

/** Why a product was not added to the cart, and which one. */
export interface AddRefusal {
  reason: Exclude<AddOutcome, 'added'>
  productId: number
  name: string
}

let refusal: AddRefusal | null = null
const listeners = new Set<() => void>()

export function showAddRefusal(next: AddRefusal | null): void {
  refusal = next
  for (const listener of listeners) listener()
}

const TITLES = {
  'already-in-cart': 'catalog.duplicate-title',
  'cart-full': 'catalog.cart-full-title',
  'not-stored': 'catalog.cart-unsaved-title',
} as const

/** Says why a product was not added, and how to order it all the same; once a page. */
export function CartDialog() {
  const { t } = useI18n()
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => refusal,
    () => null,
  )
  const close = () => showAddRefusal(null)
  const isDuplicate = shown?.reason === 'already-in-cart'
  return (
    <Dialog
      open={shown !== null}
      onClose={close}
      title={shown ? t(TITLES[shown.reason]) : ''}
      closeLabel={t('shell.close')}
      actions={
        <>
          {shown?.reason === 'cart-full' ? (
            <ButtonLink kind="secondary" href="/cart">
              {t('catalog.go-to-cart')}
            </ButtonLink>
          ) : (
            <Button kind="secondary" onClick={close}>
              {t('catalog.continue-shopping')}
            </Button>
          )}
          {isDuplicate ? (
            <ButtonLink href="/cart">{t('catalog.go-to-cart')}</ButtonLink>
          ) : (
            <ButtonLink href={`/order/place/${shown?.productId}`}>{t('catalog.order-directly')}</ButtonLink>
          )}
        </>
      }
    >
      {shown ? <Reason {...shown} /> : null}
    </Dialog>
  )
}

function Reason({ reason, name }: AddRefusal) {
  const { t, lang } = useI18n()
  const { phone } = useShell().shop
  if (reason === 'already-in-cart') return <p>{t('catalog.duplicate-text')}</p>
  return (
    <>
      <p>{t(reason === 'cart-full' ? 'catalog.cart-full' : 'catalog.cart-unsaved', { name })}</p>
      {phone ? (
        <p className="mt-1">
          <a
            href={`tel:+88${phone}`}
            className="inline-flex min-h-11 items-center gap-2 font-semibold text-leaf-800 underline underline-offset-4"
          >
            <PhoneIcon size={18} />
            {t('catalog.or-call', { phone: digitsIn(lang, phone) })}
          </a>
        </p>
      ) : null}
    </>
  )
}
