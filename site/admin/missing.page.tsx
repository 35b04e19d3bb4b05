import { ButtonLink } from '#components/button.tsx'
import { useI18n } from '#page/page-context.tsx'
import { AdminLayout } from './ui/layout.tsx'

export type Props = Record<string, never>

/** Shown for an unknown URL of the admin, such as a deleted record. Sidebar and search stay available. */
export function Page() {
  const { t } = useI18n()
  return (
    <AdminLayout title={t('admin.missing.title')}>
      <div className="admin-card max-w-xl p-5">
        <p>{t('admin.missing.text')}</p>
        <p className="mt-4">
          <ButtonLink href="/admin">{t('admin.denied.home')}</ButtonLink>
        </p>
      </div>
    </AdminLayout>
  )
}
