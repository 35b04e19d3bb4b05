import { useMemo, useSyncExternalStore } from 'react'
import { discountLimit } from '#features/pos/approval-rules.ts'
import { posLineTotal } from '#features/pos/rules.ts'
import { formatTaka, sum } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { usePermissions } from '../admin/ui/use-permissions.ts'
import { catalog, onCatalogChange } from './device/catalog.ts'
import { type Sale, missingApprovals } from './sale.ts'

export interface OfflineApproval {
  /** The discount needs a supervisor. */
  isDiscountTooHigh: boolean
  /** Why this sale cannot be submitted offline; null when it can. */
  rejection: string | null
}

/** Exceptions that need a supervisor. Only the server checks a supervisor's code, so such a sale cannot be submitted offline. */
export function useOfflineApproval(sale: Sale): OfflineApproval {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const needsSupervisor = !can('pos.approve')
  const limit = useSyncExternalStore(
    onCatalogChange,
    () => catalog.limit,
    () => null,
  )
  const exceptions = useMemo(() => missingApprovals(sale, { limit, needsSupervisor }), [sale, limit, needsSupervisor])
  if (!exceptions) return { isDiscountTooHigh: false, rejection: null }
  const { isDiscountTooHigh, held } = exceptions
  if (isDiscountTooHigh && limit) {
    const max = formatTaka(discountLimit(sum(sale.lines.map(posLineTotal)), limit), lang)
    return { isDiscountTooHigh, rejection: t('pos.alone.discount', { max }) }
  }
  return { isDiscountTooHigh, rejection: t(held.length > 0 ? 'pos.alone.held' : 'pos.alone.price') }
}
