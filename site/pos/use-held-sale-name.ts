import { dhakaTime, formatTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import type { Sale } from './sale.ts'

/** The name under which a sale is held at that time: the cashier's, or the time of day. */
export function useHeldSaleName(): (sale: Pick<Sale, 'name'>, at: Date) => string {
  const { t, lang } = useI18n()
  return ({ name }, at) => name.trim() || t('pos.held.unnamed', { time: formatTime(dhakaTime(at), lang) })
}
