import { ButtonLink } from '#components/button.tsx'
import { PlusIcon } from '#components/icons.tsx'
import { useI18n } from '#page/page-context.tsx'
import { CategoryList } from './category-list.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { usePermissions } from '../ui/use-permissions.ts'

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
