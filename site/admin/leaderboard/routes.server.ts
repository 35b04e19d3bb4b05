import { audit } from '#features/audit/audit.server.ts'
import { completePath, type LeaderboardQuery, readLeaderboardQuery } from '#features/reports/leaderboard-rules.ts'
import { leaderboardCsv, listLeaderboard } from '#features/reports/leaderboard.server.ts'
import type { CsvFile } from '#lib/csv/csv.server.ts'
import { inTransaction } from '#lib/db/db.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { parseCursor } from '#lib/db/keyset.ts'
import { dhakaDate } from '#lib/format/time.ts'
import type { AdminContext, AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

export const leaderboardRoutes: AdminRoute[] = [
  {
    url: '/admin/leaderboard',
    page: 'admin/leaderboard/leaderboard',
    permission: 'leaderboard.read',
    readsReplica: true,
    screen: 'leaderboard',
    async load(context) {
      const { db, lang, now, query } = context
      const today = dhakaDate(now)
      const complete = completePath(query, today)
      if (complete) return { redirect: complete }
      const filter = readLeaderboardQuery(query, today)
      if (query.download === '1') return { csv: await csvOf(context, filter) }
      const props = { list: await listLeaderboard(db, filter, parseCursor(query, 2)), filter }
      return { props, head: adminHead(lang, { key: 'admin.nav.leaderboard' }) }
    },
  },
]

/** The CSV file; the export is recorded in the audit log, because it holds names and phones. */
async function csvOf({ db, lang, staff }: AdminContext, filter: LeaderboardQuery): Promise<CsvFile> {
  const { startDate, endDate } = filter
  await inTransaction(db, (tx) =>
    audit(tx, staff, { action: 'exported', subject: 'customer', id: 'leaderboard', after: { startDate, endDate } }),
  )
  const t = translate(lang)
  const head = (['id', 'name', 'phone', 'email', 'spent', 'orders', 'last'] as const).map((column) => t(`leaderboard.${column}`))
  return { filename: `khamar-leaderboard-${startDate}-${endDate}.csv`, head, rows: leaderboardCsv(db, filter, lang) }
}
