import { isProblemList, SMS_LIST_DAYS, SMS_LISTS } from '#features/messaging/types.ts'
import type { SavedFilter } from '#features/admin-search/saved-filters.server.ts'
import { useI18n } from '#page/page-context.tsx'
import { FilterBar } from '../ui/filters.tsx'

/** The filters of the SMS log. Messages with a problem can be limited to those of the last days, which the log counts. */
export function SmsFilters({ query, saved }: { query: Record<string, string>; saved: SavedFilter[] }) {
  const { t } = useI18n()
  const days = {
    name: 'days',
    label: t('sms.log.days'),
    kind: 'select' as const,
    options: SMS_LIST_DAYS.map((count): [string, string] => [String(count), t('sms.log.last-days', { days: count })]),
  }
  return (
    <FilterBar
      screen="sms"
      values={query}
      saved={saved}
      fields={[
        { name: 'q', label: t('sms.log.find'), kind: 'search', hint: t('sms.log.find-hint') },
        {
          name: 'state',
          label: t('sms.log.state'),
          kind: 'select',
          options: SMS_LISTS.map((list) => [list, t(`sms.state.${list}`)]),
        },
        ...(isProblemList(query.state) ? [days] : []),
      ]}
    />
  )
}
