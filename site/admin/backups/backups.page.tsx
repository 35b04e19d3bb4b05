import { backupFailure } from '#features/backup/failure-rules.ts'
import type { BackupRun } from '#features/backup/queries.server.ts'
import { useEffect } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { showToast } from '#components/toast.tsx'
import { formatNumber, localizeDigits } from '#lib/format/numbers.ts'
import { formatDateTime, formatHour } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { InfoIcon } from '../ui/icons.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { LateBackup } from './late-backup.tsx'

interface Row extends Pick<BackupRun, 'id' | 'state' | 'started_by' | 'actor' | 'target' | 'file_name' | 'size_bytes' | 'error'> {
  startedAt: string
  /** Null while it runs. */
  seconds: number | null
  isVerified: boolean
  isDeleted: boolean
  /** Complete, and written to the present BACKUP_TO. */
  isInPlace: boolean
  /** Not among the files of the present BACKUP_TO. */
  isMissing: boolean
}

export interface Props {
  rows: Row[]
  late: boolean
  /** The newest backup of the shop itself was not restored for a check. */
  unchecked: boolean
  /** The shop runs its own database, whose role needs no more rights. */
  isEmbedded: boolean
  /** The hour of the nightly backup. */
  hour: number
}

const RELOAD_MS = 4_000

/** The backups of the shop, the newest first. */
export function Page({ rows, late, unchecked, isEmbedded, hour }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const isRunning = rows[0]?.state === 'running'
  useEffect(() => {
    const timer = isRunning ? setTimeout(() => location.reload(), RELOAD_MS) : undefined
    return () => clearTimeout(timer)
  }, [isRunning])
  const columns: Column<Row>[] = [
    {
      key: 'when',
      head: t('backups.when'),
      lead: true,
      cell: (row) => (
        <time dateTime={row.startedAt} className="whitespace-nowrap">
          {formatDateTime(new Date(row.startedAt), lang)}
        </time>
      ),
    },
    { key: 'state', head: t('backups.state'), cell: (row) => <State row={row} /> },
    { key: 'by', head: t('backups.by'), cell: (row) => row.actor ?? t(`backups.by-${row.started_by}`) },
    { key: 'size', head: t('backups.size'), align: 'end', cell: (row) => <Size row={row} /> },
    { key: 'place', head: t('backups.place'), cell: (row) => <Place row={row} /> },
    ...(can('backups.write') ? [{ key: 'file', head: t('admin.table.actions'), align: 'end' as const, cell: download }] : []),
  ]
  function download(row: Row) {
    if (!row.isInPlace || row.isMissing) return null
    return (
      <ButtonLink size="small" kind="secondary" href={`/api/admin/backups/${row.id}/file`}>
        {t('backups.download')}
      </ButtonLink>
    )
  }
  return (
    <AdminLayout title={t('admin.nav.backups')} actions={can('backups.write') ? <BackUpNow isRunning={isRunning} /> : null}>
      {late ? <LateBackup /> : null}
      {unchecked ? (
        <p role="status" className="mb-3 flex items-start gap-2 rounded-card bg-mango-100 px-4 py-3 text-ink">
          <InfoIcon className="mt-0.5 shrink-0" />
          {t('backups.unchecked')} {t(isEmbedded ? 'backups.unchecked-room' : 'backups.unchecked-permission')}
        </p>
      ) : null}
      <p className="mb-3 max-w-prose text-stone">{t('backups.hint', { hour: formatHour(hour, lang) })}</p>
      <DataTable label={t('admin.nav.backups')} rows={rows} columns={columns} rowKey={(row) => row.id} empty={t('backups.empty')} />
    </AdminLayout>
  )
}

function BackUpNow({ isRunning }: { isRunning: boolean }) {
  const { t } = useI18n()
  async function start() {
    const answer = await adminPost('/admin/backups', {})
    if (!answer.ok) return showFailure(answer, t)
    showToast(t('backups.started'))
    setTimeout(() => location.reload(), RELOAD_MS)
  }
  return (
    <Button onClick={start} busy={isRunning}>
      {t('backups.now')}
    </Button>
  )
}

function State({ row }: { row: Row }) {
  const { t } = useI18n()
  const failure = row.error === null ? null : backupFailure(row.error)
  if (row.state === 'running') return <span className="chip chip-stone">{t('backups.state-running')}</span>
  if (row.state === 'failed')
    return (
      <span>
        <span className="chip chip-terracotta">{t('backups.state-failed')}</span>
        {failure ? <span className="block">{t(`backups.failure.${failure}`)}</span> : null}
        <span className="block text-sm break-words text-stone">{row.error}</span>
      </span>
    )
  if (row.isDeleted) return <span className="chip chip-stone">{t('backups.state-deleted')}</span>
  if (row.isInPlace && row.isMissing) return <span className="chip chip-terracotta">{t('backups.state-missing')}</span>
  return <span className="chip chip-leaf">{t(row.isVerified ? 'backups.state-verified' : 'backups.state-done')}</span>
}

function Size({ row: { size_bytes, seconds } }: { row: Row }) {
  const { t, lang } = useI18n()
  if (size_bytes === null) return null
  const megabytes = localizeDigits(lang, Math.max(0.1, size_bytes / 1_048_576).toFixed(1))
  return (
    <span className="whitespace-nowrap">
      {t('backups.megabytes', { megabytes })}
      {seconds === null ? null : (
        <span className="block text-sm text-stone">{t('backups.seconds', { seconds: formatNumber(seconds, lang) })}</span>
      )}
    </span>
  )
}

function Place({ row: { target, file_name } }: { row: Row }) {
  return (
    <span className="text-sm break-all">
      {file_name}
      <span className="block text-stone">{target}</span>
    </span>
  )
}
