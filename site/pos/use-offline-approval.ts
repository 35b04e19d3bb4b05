import { useMemo, useSyncExternalStore } from 'react'
import { discountLimit } from '#features/pos/approval-rules.ts'
import { posLineTotal } from '#features/pos/rules.ts'
import { formatTaka, sum } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { usePermissions } from '../admin/ui/use-permissions.ts'
import { catalog, onCatalogChange } from './device/catalog.ts'
import { type Sale, toApprove } from './sale.ts'

export interface Alone {
  /** The discount needs a supervisor. */
  isDiscountTooHigh: boolean
  /** Why this sale cannot be placed without network; null when it can. */
  refusal: string | null
}

/** What the cashier does not do alone. A supervisor's code is read by the shop only: without network such a sale waits, or is changed. */
export function useOfflineApproval(sale: Sale): Alone {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const mustAsk = !can('pos.approve')
  const limit = useSyncExternalStore(
    onCatalogChange,
    () => catalog.limit,
    () => null,
  )
  const asked = useMemo(() => toApprove(sale, { limit, mustAsk }), [sale, limit, mustAsk])
  if (!asked) return { isDiscountTooHigh: false, refusal: null }
  const { isDiscountTooHigh, held } = asked
  if (isDiscountTooHigh && limit) {
    const most = formatTaka(discountLimit(sum(sale.lines.map(posLineTotal)), limit), lang)
    return { isDiscountTooHigh, refusal: t('pos.alone.discount', { most }) }
  }
  return { isDiscountTooHigh, refusal: t(held.length > 0 ? 'pos.alone.held' : 'pos.alone.price') }
}
