import { Button } from '#components/button.tsx'
import { useI18n } from '#page/page-context.tsx'
import type { Sending } from './uploads.ts'
import { ProgressBar } from './progress-bar.tsx'

interface UploadListProps {
  sending: Sending[]
  onAgain(one: Sending): void
  onDismiss(key: number): void
}

/** The running uploads, each with its progress or error. */
export function UploadList({ sending, onAgain, onDismiss }: UploadListProps) {
  const { t } = useI18n()
  if (sending.length === 0) return null
  return (
    <ul className="grid gap-2">
      {sending.map((one) => (
        <li key={one.key} className="rounded-card border border-line bg-paper px-3 py-2 text-sm">
          {one.error === null ? (
            <label className="grid gap-1">
              <span className="wrap-anywhere">
                {one.share < 1
                  ? t('upload.sending', { name: one.name, percent: Math.floor(one.share * 100) })
                  : t('upload.working', { name: one.name })}
              </span>
              <ProgressBar max={1} value={one.share < 1 ? one.share : undefined} />
            </label>
          ) : (
            <p role="alert" tabIndex={-1} data-failed-upload className="flex flex-wrap items-center gap-2 text-terracotta">
              <span className="grow basis-48 font-semibold break-words">{t('upload.failed', { name: one.name, reason: one.error })}</span>
              {one.canRetry ? (
                <Button size="small" kind="secondary" onClick={() => onAgain(one)}>
                  {t('upload.again')}
                </Button>
              ) : null}
              <Button size="small" kind={one.canRetry ? 'quiet' : 'secondary'} onClick={() => onDismiss(one.key)}>
                {t('upload.dismiss')}
              </Button>
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}
