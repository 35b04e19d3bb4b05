import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { laterPart } from '#components/later-part.tsx'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import type { ProductStatus } from '#features/catalog/types.ts'
import { canBeAwaited } from '#features/product-waits/rules.ts'

const WaitDialog = laterPart(() => import('./wait-dialog.tsx').then((part) => part.WaitDialog))

/** Opens the form for one SMS when a held or empty product can be ordered again. Nothing in a shop that sends none. */
export function WaitButton({ product: { id, status } }: { product: { id: number; status: ProductStatus } }) {
  const { t } = useI18n()
  const { sendsSms } = usePageContext()
  const [isOpen, setOpen] = useState(false)
  if (!sendsSms || !canBeAwaited(status)) return null
  return (
    <>
      <Button kind="secondary" className="needs-script" onClick={() => setOpen(true)}>
        {t('catalog.tell-me')}
      </Button>
      {isOpen ? <WaitDialog productId={id} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
