import { lazy, Suspense, useState } from 'react'
import { Button } from '#components/button.tsx'
import { useI18n } from '#page/page-context.tsx'
import type { ProductStatus } from '#features/catalog/types.ts'
import { canBeAwaited } from '#features/product-waits/rules.ts'

const WaitDialog = lazy(() => import('./wait-dialog.tsx').then((part) => ({ default: part.WaitDialog })))

/** Opens the form for one SMS when a held or empty product can be ordered again. */
export function WaitButton({ product: { id, status } }: { product: { id: number; status: ProductStatus } }) {
  const { t } = useI18n()
  const [isOpen, setOpen] = useState(false)
  if (!canBeAwaited(status)) return null
  return (
    <>
      <Button kind="secondary" className="needs-script" onClick={() => setOpen(true)}>
        {t('catalog.tell-me')}
      </Button>
      {isOpen ? (
        <Suspense>
          <WaitDialog productId={id} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
