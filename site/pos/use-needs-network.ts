import { showToast } from '#components/toast.tsx'
import { TOAST_TIME } from '#features/pos/rules.ts'
import { useI18n } from '#page/page-context.tsx'

/** Guard for links out of the POS: offline they would open the browser's error page. Returns whether the link is blocked. */
export function useNeedsNetwork(): (event?: { preventDefault(): void }) => boolean {
  const { t } = useI18n()
  return (event) => {
    if (navigator.onLine) return false
    event?.preventDefault()
    showToast(t('pos.needs-network'), { kind: 'error', milliseconds: TOAST_TIME })
    return true
  }
}
