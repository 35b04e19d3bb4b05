import type { Take } from '#features/stock-takes/queries.server.ts'
import type { TakeReason, TakeState as State } from '#features/stock-takes/rules.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { useI18n } from '#page/page-context.tsx'
import { reasonKey } from './reason-key.ts'

const CHIPS: Record<State, string> = { open: 'chip-mango', closed: 'chip-leaf', cancelled: 'chip-stone' }

export function TakeState({ state }: { state: State }) {
  const { t } = useI18n()
  return <span className={`chip ${CHIPS[state]}`}>{t(`stock-take.state.${state}`)}</span>
}

/** The function that names what a sheet is for: a category, or everything. */
export function useTakeScope(): (take: Pick<Take, 'category_en' | 'category_bn'>) => string {
  const { t, lang } = useI18n()
  return (take) => (lang === 'bn' ? take.category_bn : take.category_en) ?? t('stock-take.everything')
}

/** A difference in thousandths with its sign. */
export const signed = (milli: number, lang: Lang) => `${milli > 0 ? '+' : ''}${formatNumber(milli / 1000, lang)}`

/** The function that names a reason. */
export function useReasonName(): (reason: TakeReason, isAnimal: boolean) => string {
  const { t } = useI18n()
  return (reason, isAnimal) => t(reasonKey(reason, isAnimal))
}
