import { showToast } from '#components/toast.tsx'
import { TOAST_TIME } from '#features/pos/rules.ts'
import { useI18n } from '#page/page-context.tsx'
import { beep } from './beep.ts'
import type { SaleStore } from './sale-store.ts'

/** Returns a function that tells whether the sale on the screen is being placed, and announces it. */
export function useIsSending(store: SaleStore): () => boolean {
  const { t } = useI18n()
  return () => {
    if (store.isSending) {
      beep('rejected')
      showToast(t('pos.placing-wait'), { kind: 'error', milliseconds: TOAST_TIME })
    }
    return store.isSending
  }
}
