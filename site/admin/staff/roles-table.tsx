import { can, PERMISSION_NAMES, STAFF_ROLES } from '#features/auth/permissions.ts'
import { useI18n } from '#page/page-context.tsx'
import { CheckIcon } from '../ui/icons.tsx'
import { ScrollArea } from '../ui/scroll-area.tsx'

/** The permissions of each role, from the matrix that the server checks. */
export function RolesTable() {
  const { t } = useI18n()
  return (
    <details className="admin-card mt-4">
      <summary className="flex min-h-11 cursor-pointer items-center px-4 font-semibold text-leaf-800">{t('permissions.title')}</summary>
      <ScrollArea label={t('permissions.title')} className="border-t border-line">
        <table className="w-full border-collapse text-sm">
          <thead>
            <tr className="bg-sand">
              <th scope="col" className="sticky start-0 min-w-44 bg-sand px-3 py-2 text-start">
                {t('permissions.permission')}
              </th>
              {STAFF_ROLES.map((role) => (
                <th key={role} scope="col" className="px-2 py-2 text-center whitespace-nowrap">
                  {t(`admin.role.${role}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {PERMISSION_NAMES.map((permission) => (
              <tr key={permission} data-permission={permission} className="border-t border-line">
                <th scope="row" className="sticky start-0 bg-milk px-3 py-1.5 text-start font-normal">
                  {t(`permission.${permission}`)}
                </th>
                {STAFF_ROLES.map((role) => (
                  <td key={role} data-role={role} className="px-2 py-1.5 text-center">
                    {can(role, permission) ? (
                      <CheckIcon size={18} className="inline text-leaf-600" aria-hidden={false} role="img" aria-label={t('admin.yes')} />
                    ) : (
                      <span className="text-stone">–</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </details>
  )
}
