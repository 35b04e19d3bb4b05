import { favouritesBody } from '#features/pos/forms.ts'
import type { FavouritesRecord } from '#features/pos/favourites.server.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost } from '../admin/ui/admin-post.ts'
import { AdminForm, FormSection } from '../admin/ui/form.tsx'
import { AdminLayout } from '../admin/ui/layout.tsx'
import { ProductListField } from '../admin/ui/product-list-field.tsx'
import { useAdminForm } from '../admin/ui/use-form.ts'

export interface Props {
  favourites: FavouritesRecord
}

/** Edits the products on the buttons of the POS, in their order. */
export function Page({ favourites }: Props) {
  const { t } = useI18n()
  const form = useAdminForm({
    id: 'pos-favourites',
    initial: favourites,
    version: favourites.version,
    schema: favouritesBody,
    bodyOf,
    save: (values) => adminPost<{ favourites: FavouritesRecord }>('/admin/quick-orders/favourites', bodyOf(values)),
    onSaved: (answer) => answer.favourites,
  })
  return (
    <AdminLayout title={t('pos.favourites')} back={{ href: '/admin/quick-orders', label: t('pos.title') }}>
      <AdminForm form={form} cancelHref="/admin/quick-orders">
        <FormSection title={t('pos.favourites-products')} hint={t('pos.favourites-hint')}>
          <ProductListField
            name="products"
            errorName="product_ids"
            label={t('slots.add-product')}
            empty={t('pos.favourites-none')}
            isOrdered
          />
        </FormSection>
      </AdminForm>
    </AdminLayout>
  )
}

/** The body takes the ids of the products, in their order. */
function bodyOf({ products, version }: FavouritesRecord) {
  return { version, product_ids: products.map(({ id }) => id) }
}
