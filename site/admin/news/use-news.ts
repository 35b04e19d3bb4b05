import { useEffect } from 'react'
import { newsKindsFor } from '#features/news/rules.ts'
import { can } from '#features/auth/permissions.ts'
import type { Role } from '#features/auth/sessions.server.ts'
import { formatNumber, localizeDigits } from '#lib/format/numbers.ts'
import { translate } from '#lib/i18n/translate.ts'
import { usePageContext } from '#page/page-context.tsx'
import { hasPush } from './news-store.ts'

/** The page and its own calls come first. */
const START_MS = 1000

/** Shows the news on this page. The code is loaded after the page, and only for roles that may see a kind of news. */
export function useNews(): void {
  const { user, lang } = usePageContext()
  const [userId, role] = [user?.id, user?.role as Role | undefined]
  useEffect(() => {
    const kinds = role ? newsKindsFor((permission) => can(role, permission)) : []
    if (userId === undefined || kinds.length === 0) return
    const t = translate(lang)
    const stop = new AbortController()
    const start = async () => {
      const { pollNews } = await import('./poll-news.ts')
      pollNews({
        userId,
        kinds,
        say: (kind, ids) =>
          kind === 'orders' && ids.length === 1
            ? t('news.order', { id: localizeDigits(lang, String(ids[0])) })
            : t(`news.${kind}`, { count: ids.length }),
        formatCount: (count) => formatNumber(count, lang),
        loggedOut: t('news.logged-out'),
        signal: stop.signal,
      })
      if (hasPush(userId)) await (await import('./push-device.ts')).refreshPush(userId)
    }
    // A script that cannot be loaded is missing until the next page.
    const wait = () => void setTimeout(() => void (stop.signal.aborted || start().catch(() => {})), START_MS)
    if (document.readyState === 'complete') wait()
    else window.addEventListener('load', wait, { once: true, signal: stop.signal })
    return () => stop.abort()
  }, [userId, role, lang])
}
