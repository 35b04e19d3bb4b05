import { useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { AlertIcon, CheckIcon } from '#components/icons.tsx'
import { showToast } from '#components/toast.tsx'
import type { AgainJson } from '#features/orders/history/reorder-rules.ts'
import { formatQuantity, toMilli } from '#lib/format/numbers.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { type Filled, fillCart } from '../order/fill-cart.ts'

/** Puts the available products of an order into the cart again and shows the result. */
export function useAgain() {
  const { t } = useI18n()
  const [asking, setAsking] = useState<number | null>(null)
  const [outcome, setOutcome] = useState<Filled | null>(null)
  const ask = async (order: { id: number }) => {
    setAsking(order.id)
    const answer = await call<AgainJson>(`/orders/${order.id}/again`, { cache: 'no-store' })
    setAsking(null)
    if (!answer.ok) return showToast(t('account.again-failed'), { kind: 'error' })
    setOutcome(fillCart(answer.body, { adds: true }))
  }
  return { asking, outcome, ask: (order: { id: number }) => void ask(order), close: () => setOutcome(null) }
}

interface AgainDialogProps {
  again: { outcome: Filled | null; close: () => void }
}

/** Which products were added, and which are unavailable. */
export function AgainDialog({ again: { outcome, close } }: AgainDialogProps) {
  const { t, lang } = useI18n()
  const { lines, missing, notAdded, isFull } = outcome ?? { lines: [], missing: [], notAdded: [], isFull: false }
  const quantity = (line: (typeof lines)[number]) => formatQuantity(toMilli(line.quantity), line.product.unit, lang)
  return (
    <Dialog
      open={outcome !== null}
      onClose={close}
      title={t('account.again-title')}
      closeLabel={t('shell.close')}
      actions={
        <>
          <Button kind="secondary" onClick={close}>
            {t('catalog.continue-shopping')}
          </Button>
          {lines.length > 0 ? <ButtonLink href="/cart">{t('catalog.go-to-cart')}</ButtonLink> : null}
        </>
      }
    >
      <div className="space-y-4">
        {lines.length > 0 ? (
          <section>
            <h3 className="flex items-center gap-2 font-semibold text-leaf-600">
              <CheckIcon size={18} />
              {t('account.again-in-cart')}
            </h3>
            <ul className="mt-1 space-y-1">
              {lines.map((line) => (
                <li key={line.product.id}>
                  {line.less
                    ? t('account.again-less', { name: line.product.product_type, quantity: quantity(line) })
                    : `${line.product.product_type}, ${quantity(line)}`}
                </li>
              ))}
            </ul>
          </section>
        ) : notAdded.length === 0 ? (
          <p>{t('account.again-nothing')}</p>
        ) : null}
        <StockUnavailableError title={t('account.again-missing')} names={missing} />
        <StockUnavailableError title={t(isFull ? 'account.again-full' : 'account.again-unsaved')} names={notAdded} />
      </div>
    </Dialog>
  )
}

function StockUnavailableError({ title, names }: { title: string; names: string[] }) {
  if (names.length === 0) return null
  return (
    <section>
      <h3 className="flex items-center gap-2 font-semibold text-terracotta">
        <AlertIcon size={18} />
        {title}
      </h3>
      <ul className="mt-1 space-y-1">
        {names.map((name, index) => (
          <li key={index}>{name}</li>
        ))}
      </ul>
    </section>
  )
}
