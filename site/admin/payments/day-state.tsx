import type { ReconciliationDay } from '#features/reconciliation/queries.server.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'

/** Reconciled, all matched, or how much is open. */
export function DayState({ day }: { day: Pick<ReconciliationDay, 'open_rows' | 'open_entries' | 'closed'> }) {
  const { t, lang } = useI18n()
  if (day.closed) return <span className="chip chip-leaf whitespace-nowrap">{t('reconcile.closed')}</span>
  const open = day.open_rows + day.open_entries
  if (open === 0) return <span className="chip chip-indigo whitespace-nowrap">{t('reconcile.matched-all')}</span>
  return <span className="chip chip-mango whitespace-nowrap">{t('reconcile.open', { count: formatNumber(open, lang) })}</span>
}
