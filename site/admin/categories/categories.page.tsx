import { ButtonLink } from '#components/button.tsx'
import { useI18n } from '#page/page-context.tsx'
import { CategoryList } from './category-list.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { PlusIcon } from '../ui/icons.tsx'

/** The categories of the shop, in their order. */
export function Page() {
  const { t } = useI18n()
  const { can } = usePermissions()
  return (
    <AdminLayout
      title={t('admin.nav.categories')}
      actions={
        can('catalog.write') ? (
          <ButtonLink href="/admin/category/create">
            <PlusIcon size={18} />
            {t('categories.create')}
          </ButtonLink>
        ) : null
      }
    >
      <div id="category-list">
        <CategoryList canWrite={can('catalog.write')} />
      </div>
    </AdminLayout>
  )
}
