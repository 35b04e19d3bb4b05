import type { ReactNode } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { PhoneIcon } from '#components/icons.tsx'
import { callLink } from '#lib/format/contact-links.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { type AddError, type ErrorProps, refusalText } from './refusal-text.ts'

const TITLES = {
  'already-in-cart': 'catalog.duplicate-title',
  'cart-full': 'catalog.cart-full-title',
  'not-stored': 'catalog.cart-unsaved-title',
} as const

/** Shows why a product was not added, and offers another way to order it. */
export function CartDialog({ refusal, onClose: close }: ErrorProps): ReactNode {
  const { t } = useI18n()
  const isDuplicate = refusal?.reason === 'already-in-cart'
  return (
    <Dialog
      open={refusal !== null}
      onClose={close}
      title={refusal ? t(TITLES[refusal.reason]) : ''}
      closeLabel={t('shell.close')}
      actions={
        <>
          {refusal?.reason === 'cart-full' ? (
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
            <ButtonLink href={`/order/place/${refusal?.productId}`}>{t('catalog.order-directly')}</ButtonLink>
          )}
        </>
      }
    >
      {refusal ? <Reason refusal={refusal} /> : null}
    </Dialog>
  )
}

function Reason({ refusal }: { refusal: AddError }) {
  const { t, lang } = useI18n()
  const { phone } = usePageContext().shop
  return (
    <>
      <p>{refusalText(refusal, t)}</p>
      {phone && refusal.reason !== 'already-in-cart' ? (
        <p className="mt-1">
          <a
            href={callLink(phone)}
            className="inline-flex min-h-11 items-center gap-2 font-semibold text-leaf-800 underline underline-offset-4"
          >
            <PhoneIcon size={18} />
            {t('catalog.or-call', { phone: localizeDigits(lang, phone) })}
          </a>
        </p>
      ) : null}
    </>
  )
}
