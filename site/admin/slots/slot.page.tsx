import { newSlotBody, slotBody } from '#features/catalog/slots/forms.ts'
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
  /** Null for a new slot. */
  slot: SlotRecord | null
}

type SlotValues = Omit<SlotRecord, 'id' | 'version'> & { version?: number }

const BLANK: SlotValues = { name_en: '', name_bn: '', active: true, products: [] }

/** Edits a slot of the home page: names, and its products in order. */
export function Page({ slot }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const canWrite = can('catalog.write')
  const form = useAdminForm({
    id: `slot-${slot?.id ?? 'new'}`,
    initial: (slot ? fieldsOf(slot) : BLANK) as SlotValues,
    ...(slot ? { version: slot.version } : {}),
    schema: slot ? slotBody : newSlotBody,
    bodyOf,
    save: (values) =>
      adminPost<{ slot: SlotRecord; redirect?: string }>(
        slot ? `/admin/slots/${slot.id}` : '/admin/slots/store',
        bodyOf(values),
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
            <FormText name="name_en" label={t('areas.name-en')} />
            <FormText name="name_bn" label={t('areas.name-bn')} lang="bn" />
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

/** The body takes the ids of the products, in their order. */
function bodyOf({ products, ...rest }: SlotValues) {
  return { ...rest, product_ids: products.map(({ id }) => id) }
}

function fieldsOf({ id: _id, ...rest }: SlotRecord) {
  return rest
}
