import type { ReconciliationDay } from '#features/reconciliation/queries.server.ts'
import { isChangedSince } from '#features/reconciliation/rules.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'

/** Reconciled, changed since then, all matched, or how much is open. */
export function DayState({
  day,
}: {
  day: Pick<ReconciliationDay, 'open_rows' | 'open_entries' | 'statement_poisha' | 'books_poisha' | 'closed'>
}) {
  const { t, lang } = useI18n()
  if (isChangedSince(day)) return <span className="chip chip-mango whitespace-nowrap">{t('reconcile.changed-since')}</span>
  if (day.closed) return <span className="chip chip-leaf whitespace-nowrap">{t('reconcile.closed')}</span>
  const open = day.open_rows + day.open_entries
  if (open === 0) return <span className="chip chip-indigo whitespace-nowrap">{t('reconcile.matched-all')}</span>
  return <span className="chip chip-mango whitespace-nowrap">{t('reconcile.open', { count: formatNumber(open, lang) })}</span>
}
