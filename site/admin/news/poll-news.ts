import { showToast } from '#components/toast.tsx'
import { allSeen, type News, newsHref, type NewsKind, oneSeen, openedNews, unseenIds } from '#features/news/rules.ts'
import { call } from '#page/api-client.ts'
import { UNLOCKED_EVENT } from '../lock/lock-events.ts'
import { hasNewsSound, type NewsCounts, setNewsCounts } from './news-store.ts'
import { readLast, readSeen, seenKey, seenOf, writeLast, writeSeen } from './seen-news.ts'

interface Options {
  userId: number
  kinds: readonly NewsKind[]
  /** The text of the toast for these new ids. */
  say(kind: NewsKind, ids: readonly number[]): string
  /** The number before the page's title. */
  formatCount(count: number): string
  loggedOut: string
  signal: AbortSignal
}

const POLL_MS = 15_000
const MAX_WAIT_MS = 5 * 60_000

/** Asks for news while the page is visible, and shows them until the signal ends it (decision 62). */
export function pollNews(options: Options): void {
  const { userId, signal } = options
  const shown = new ShownNews(options)
  const first = readLast(userId)
  let [version, news] = [first?.version, first?.news]
  let timer: ReturnType<typeof setTimeout> | undefined
  let waitMs = POLL_MS
  let askedAt = -Infinity
  let isAsking = false
  let hasEnded = false
  if (news) shown.count(news)

  async function ask(): Promise<void> {
    clearTimeout(timer)
    if (isAsking || hasEnded || signal.aborted || document.visibilityState === 'hidden') return
    isAsking = true
    askedAt = performance.now()
    const headers = version ? { 'if-none-match': `"${version}"` } : undefined
    const answer = await call<{ version: string; news: Partial<News> }>('/api/admin/news', { cache: 'no-store', headers, signal })
    isAsking = false
    if (signal.aborted) return
    if (answer.ok) {
      ;({ version, news } = answer.body)
      writeLast(userId, answer.body)
    }
    const isAnswered = answer.ok || answer.status === 304
    if (isAnswered && news) shown.update(news)
    if (answer.status === 401) showToast(options.loggedOut, { kind: 'error', href: signInUrl() })
    // Without a session or permission no later answer would differ.
    hasEnded = answer.status === 401 || answer.status === 403
    if (hasEnded) return
    waitMs = isAnswered ? POLL_MS : Math.min(waitMs * 2, MAX_WAIT_MS)
    timer = setTimeout(ask, waitMs)
  }

  const onVisible = () => {
    if (document.visibilityState === 'hidden') clearTimeout(timer)
    else if (performance.now() - askedAt >= POLL_MS) void ask()
    else timer = setTimeout(ask, POLL_MS)
  }
  document.addEventListener('visibilitychange', onVisible, { signal })
  window.addEventListener(UNLOCKED_EVENT, () => void ask(), { signal })
  // Another tab has opened a list, or has announced the news.
  window.addEventListener('storage', ({ key }) => key === seenKey(userId) && news && shown.count(news), { signal })
  signal.addEventListener('abort', () => clearTimeout(timer))
  void ask()
}

/** Logging in leads back to this page. */
const signInUrl = () => `/login?next=${encodeURIComponent(location.pathname + location.search)}`

/** What one page shows of the news: counts, title, badge of the app, toasts, sound. */
class ShownNews {
  readonly #options: Options
  readonly #title = document.title
  /** The list that this page shows. It is seen as of the first answer; what comes later is not on the screen. */
  #opened = openedNews(location.pathname)

  constructor(options: Options) {
    this.#options = options
  }

  /** Takes an answer: announces what no tab has announced, and marks what this page shows as seen. */
  update(news: Partial<News>): void {
    const { userId, kinds } = this.#options
    const before = readSeen(userId)
    const after = { seen: { ...before.seen }, announced: { ...before.announced } }
    const fresh: [NewsKind, number[]][] = []
    for (const kind of kinds) {
      const ids = news[kind] ?? []
      const seen = seenOf(before.seen, kind, ids)
      const unseen = new Set(unseenIds(ids, seen))
      const unannounced = unseenIds(ids, seenOf(before.announced, kind, ids)).filter((id) => unseen.has(id))
      if (unannounced.length > 0) fresh.push([kind, unannounced])
      after.announced[kind] = allSeen(ids)
      const isOpened = this.#opened?.kind === kind
      const openedId = isOpened ? this.#opened?.id : undefined
      after.seen[kind] = !isOpened ? seen : openedId === undefined ? allSeen(ids) : oneSeen(openedId, ids, seen)
    }
    this.#opened = null
    if (JSON.stringify(after) !== JSON.stringify(before)) writeSeen(userId, after)
    this.#show(news, after.seen)
    this.#announce(fresh)
  }

  /** Shows the counts again, as after another tab has opened a list. */
  count(news: Partial<News>): void {
    this.#show(news, readSeen(this.#options.userId).seen)
  }

  #show(news: Partial<News>, seen: ReturnType<typeof readSeen>['seen']): void {
    const counts: NewsCounts = {}
    let total = 0
    for (const kind of this.#options.kinds) {
      const ids = news[kind] ?? []
      const count = unseenIds(ids, seenOf(seen, kind, ids)).length
      if (count > 0) counts[kind] = count
      total += count
    }
    setNewsCounts(counts)
    document.title = total === 0 ? this.#title : `(${this.#options.formatCount(total)}) ${this.#title}`
    // An installed admin shows the number on its icon.
    void (total === 0 ? navigator.clearAppBadge?.() : navigator.setAppBadge?.(total))?.catch(() => {})
  }

  #announce(fresh: readonly [NewsKind, number[]][]): void {
    for (const [kind, ids] of fresh) {
      showToast(this.#options.say(kind, ids), { kind: 'news', href: newsHref(kind, ids) })
    }
    if (fresh.length > 0 && hasNewsSound()) void import('../../pos/beep.ts').then(({ beep }) => beep('accepted')).catch(() => {})
  }
}
