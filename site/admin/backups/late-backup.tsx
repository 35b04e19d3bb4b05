import { useI18n } from '#page/page-context.tsx'
import { AlertIcon } from '../ui/icons.tsx'

/** The alarm for a shop without a backup of the last 26 hours. */
export function LateBackup({ withLink = false }: { withLink?: boolean }) {
  const { t } = useI18n()
  return (
    <p role="alert" className="mb-3 flex items-start gap-2 rounded-card bg-terracotta-100 px-4 py-3 text-terracotta">
      <AlertIcon className="mt-0.5 shrink-0" />
      <span>
        {t('backups.late')}{' '}
        {withLink ? (
          <a href="/admin/backups" className="font-semibold whitespace-nowrap underline underline-offset-4">
            {t('admin.nav.backups')}
          </a>
        ) : null}
      </span>
    </p>
  )
}
