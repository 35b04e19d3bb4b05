import { MAX_NAME_LENGTH } from '#features/catalog/limits.ts'
import type { SlotRecord } from '#features/catalog/slots/queries.server.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { DeleteButton } from '../ui/delete-button.tsx'
import { FormRow, FormSection, FormText, FormCheckbox, AdminForm } from '../ui/form.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { ProductListField } from '../ui/product-list-field.tsx'
import { useAdminForm } from '../ui/use-form.ts'
import { usePermissions } from '../ui/use-permissions.ts'

export interface Props {
  /** Null: a new one. */
  slot: SlotRecord | null
}

const BLANK: Omit<SlotRecord, 'id' | 'version'> & { version?: number } = { name_en: '', name_bn: '', active: true, products: [] }

/** One shelf of the home page: its names, and what stands on it. */
export function Page({ slot }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const canWrite = can('catalog.write')
  const form = useAdminForm({
    id: `slot-${slot?.id ?? 'new'}`,
    initial: slot ? fieldsOf(slot) : BLANK,
    ...(slot ? { version: slot.version } : {}),
    save: ({ products, ...rest }) =>
      adminPost<{ slot: SlotRecord; redirect?: string }>(
        slot ? `/admin/slots/${slot.id}` : '/admin/slots/store',
        { ...rest, product_ids: products.map(({ id }) => id) },
        slot ? {} : { once: 'slot-new' },
      ),
    onSaved(answer) {
      if (answer.redirect) location.assign(answer.redirect)
      return fieldsOf(answer.slot)
    },
  })
  const name = slot && (lang === 'bn' ? slot.name_bn : slot.name_en)
  return (
    <AdminLayout
      title={name ?? t('slots.new')}
      back={{ href: '/admin/slots', label: t('admin.nav.slots') }}
      actions={
        slot && canWrite ? (
          <DeleteButton
            url={`/admin/slots/${slot.id}`}
            question={t('slots.delete-question', { name: name ?? '' })}
            text={t('slots.delete-text')}
            next="/admin/slots"
          />
        ) : null
      }
    >
      <AdminForm form={form} readOnly={!canWrite} cancelHref="/admin/slots">
        <FormSection title={t('slots.names')}>
          <FormRow>
            <FormText name="name_en" label={t('areas.name-en')} maxLength={MAX_NAME_LENGTH} />
            <FormText name="name_bn" label={t('areas.name-bn')} maxLength={MAX_NAME_LENGTH} lang="bn" />
          </FormRow>
          <FormCheckbox name="active" label={t('slots.active')} hint={t('slots.active-hint')} />
        </FormSection>
        <FormSection title={t('slots.products')} hint={t('slots.products-hint')}>
          <ProductListField
            name="products"
            errorName="product_ids"
            label={t('slots.add-product')}
            empty={t('slots.no-products')}
            isOrdered
            readOnly={!canWrite}
          />
        </FormSection>
      </AdminForm>
    </AdminLayout>
  )
}

function fieldsOf({ id: _id, ...rest }: SlotRecord) {
  return rest
}
