import { lazy, Suspense, useEffect, useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { readSession } from '#page/session-notes.ts'
import type { CheckoutShop } from './use-checkout.ts'
import { useUnpaidOrder } from './use-unpaid-order.ts'

const UnpaidOrderNote = lazy(() => import('./unpaid-order.tsx').then((module) => ({ default: module.UnpaidOrderNote })))

export const LAST_ORDER_KEY = 'lastOrder'

/** An empty cart with links to what the shop sells now, and to the order that was just placed. */
export function EmptyCart({ links, onProceed }: { links: CheckoutShop['links']; onProceed: () => void }) {
  const { t, lang } = useI18n()
  const [lastOrder, setLastOrder] = useState<number | null>(null)
  useEffect(() => {
    const noted = readSession(LAST_ORDER_KEY)
    setLastOrder(typeof noted === 'number' ? noted : null)
  }, [])
  const waiting = useUnpaidOrder(lastOrder)
  return (
    <>
      {waiting ? (
        <Suspense>
          <UnpaidOrderNote order={waiting} />
        </Suspense>
      ) : null}
      <section className="mx-auto max-w-xl rounded-card border border-line bg-milk px-5 py-10 text-center">
        <span className="inline-block">
          <img src="/logo.svg" alt="" width={64} height={64} />
        </span>
        <h2 className="mt-4 text-lg">{t('cart.empty-title')}</h2>
        <p className="mx-auto mt-2 max-w-[42ch] text-stone">{t('cart.empty-text')}</p>
        <div className="mt-6 flex flex-wrap justify-center gap-3">
          {links.map(({ href, label }, at) => (
            <ButtonLink key={href} href={href} kind={at ? 'secondary' : 'tag'}>
              {label}
            </ButtonLink>
          ))}
        </div>
        {lastOrder === null || waiting ? null : (
          <p className="mt-6">
            <a href={`/invoice/${lastOrder}`} className="font-semibold underline underline-offset-4">
              {t('cart.last-order', { id: localizeDigits(lang, String(lastOrder)) })}
            </a>
          </p>
        )}
        <Button kind="quiet" className="mt-6" onClick={onProceed}>
          {t('cart.proceed')}
        </Button>
      </section>
    </>
  )
}
