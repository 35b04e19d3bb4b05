import { ButtonLink } from '#components/button.tsx'
import { useI18n } from '#page/page-context.tsx'
import { AdminLayout } from './ui/layout.tsx'

export type Props = Record<string, never>

/** For an address of the admin that leads to nothing: a row that is gone, or a number mistyped. The rail and the search stay at hand. */
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
