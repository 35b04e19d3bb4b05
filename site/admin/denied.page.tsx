import { ButtonLink } from '#components/button.tsx'
import type { Permission } from '#features/auth/permissions.ts'
import { useI18n } from '#page/page-context.tsx'
import { AdminLayout } from './ui/layout.tsx'
import { usePermissions } from './ui/use-permissions.ts'

export interface Props {
  /** Permissions that would open the page; one is enough. */
  permissions: readonly Permission[]
}

/** Shown to staff whose role lacks the permission for a page. */
export function Page({ permissions }: Props) {
  const { t } = useI18n()
  const { role } = usePermissions()
  return (
    <AdminLayout title={t('admin.denied.title')}>
      <div className="admin-card max-w-xl p-5">
        <p>{t('admin.denied.text', { role: role === 'customer' ? '' : t(`admin.role.${role}`) })}</p>
        <p className="mt-2 text-sm text-stone">
          {t('admin.denied.permission', { name: permissions.map((one) => t(`permission.${one}`)).join(' / ') })}
        </p>
        <p className="mt-4">
          <ButtonLink href="/admin">{t('admin.denied.home')}</ButtonLink>
        </p>
      </div>
    </AdminLayout>
  )
}
