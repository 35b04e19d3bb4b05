import { showToast } from '#components/toast.tsx'
import { TOAST_TIME } from '#features/pos/rules.ts'
import { useI18n } from '#page/page-context.tsx'

/** For ways out of the till: without network they would lead to the browser's own error page. Answers whether the way is closed. */
export function useNeedsNetwork(): (event?: { preventDefault(): void }) => boolean {
  const { t } = useI18n()
  return (event) => {
    if (navigator.onLine) return false
    event?.preventDefault()
    showToast(t('pos.needs-network'), { kind: 'error', milliseconds: TOAST_TIME })
    return true
  }
}
