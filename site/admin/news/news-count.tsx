import { MAX_NEWS_IDS, NEWS, NEWS_KINDS } from '#features/news/rules.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { useNewsCounts } from './news-store.ts'

/** The number of new rows of these lists; nothing for none. */
export function NewsCount({ hrefs, className = '' }: { hrefs: readonly string[]; className?: string }) {
  const { t } = useI18n()
  const counts = useNewsCounts()
  const count = NEWS_KINDS.reduce((sum, kind) => sum + (hrefs.includes(NEWS[kind].href) ? (counts[kind] ?? 0) : 0), 0)
  if (count === 0) return null
  return (
    <span className={`news-count ms-auto ${className}`}>
      <CountText count={count} /> <span className="sr-only">{t('news.new')}</span>
    </span>
  )
}

/** The counts end at the number of ids that the server reads. */
export function CountText({ count }: { count: number }) {
  const { lang } = useI18n()
  return <>{count < MAX_NEWS_IDS ? formatNumber(count, lang) : `${formatNumber(MAX_NEWS_IDS, lang)}+`}</>
}
