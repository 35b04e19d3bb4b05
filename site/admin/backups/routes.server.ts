import { isCheckMissing, isLate, listBackupFiles, listBackupRuns } from '#features/backup/queries.server.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

export const backupsRoutes: AdminRoute[] = [
  {
    url: '/admin/backups',
    page: 'admin/backups/backups',
    permission: 'backups.read',
    async load({ db, lang, now, shopCache, process }) {
      const [runs, files, late, unchecked, { backup }] = await Promise.all([
        listBackupRuns(db),
        listBackupFiles(process.backupTo),
        isLate(db, now),
        isCheckMissing(db),
        shopCache.settings(),
      ])
      const rows = runs.map(({ started_at, finished_at, verified_at, deleted_at, ...run }) => ({
        ...run,
        startedAt: started_at.toISOString(),
        seconds: finished_at && Math.max(1, Math.round((finished_at.getTime() - started_at.getTime()) / 1000)),
        isVerified: verified_at !== null,
        isDeleted: deleted_at !== null,
        // One on another disk is not fetched from there.
        isInPlace: run.state === 'done' && deleted_at === null && run.target === process.backupTo,
        isMissing: files !== null && !files.has(run.file_name ?? ''),
      }))
      return {
        props: { rows, late, unchecked, isEmbedded: process.isEmbedded, hour: backup.hour },
        head: adminHead(lang, { key: 'admin.nav.backups' }),
      }
    },
  },
]
