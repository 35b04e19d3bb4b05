import { useEffect, useRef, useState } from 'react'
import { newProductBody } from '#features/catalog/products/forms.ts'
import { initialDeliveryDate } from '#features/catalog/products/initial-delivery-rules.ts'
import { PRODUCT_STATUSES } from '#features/catalog/rules.ts'
import { useI18n } from '#page/page-context.tsx'
import { AnimalFields, DeliveryFields, SellingFields, StateFields, WhatFields } from './fields.tsx'
import { blankValues, bodyOf, initialSeason, type NewProductValues, type ProductChoices } from './form-values.ts'
import { MediaFields } from './media-fields.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { FormNumber, FormRow, FormSection, FormText, AdminForm } from '../ui/form.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { type AdminFormState, useAdminForm } from '../ui/use-form.ts'

export type Props = ProductChoices

type Kind = NewProductValues['kind']

/** The form of a new product, or of an animal with its first weighing. */
export function Page(choices: Props) {
  const { t } = useI18n()
  const [kind, setKind] = useState<Kind>('goods')
  return (
    <AdminLayout title={t('products.new')} back={{ href: '/admin/products', label: t('admin.nav.products') }}>
      <fieldset className="mb-4 flex flex-wrap gap-2">
        <legend className="sr-only">{t('products.kind')}</legend>
        {(['goods', 'animal'] as const).map((one) => (
          <label
            key={one}
            className="flex min-h-11 cursor-pointer items-center gap-2 rounded-card border border-line bg-milk px-4 font-semibold has-checked:border-leaf-600 has-checked:bg-leaf-100"
          >
            <input type="radio" name="kind" checked={kind === one} onChange={() => setKind(one)} className="size-4.5 accent-leaf-600" />
            {t(`products.kind.${one}`)}
          </label>
        ))}
      </fieldset>
      <NewForm key={kind} kind={kind} choices={choices} />
    </AdminLayout>
  )
}

/** Delivery date and season of the rates follow the chosen category until staff change them. */
function useFollowCategory(
  { values, set }: Pick<AdminFormState<NewProductValues>, 'values' | 'set'>,
  kind: Kind,
  { categories, seasonStart, season }: ProductChoices,
) {
  const day = initialDeliveryDate({ ...values, kind }, categories, seasonStart)
  const rateSeason = initialSeason({ ...values, kind }, categories, season)
  const previous = useRef({ day, rateSeason })
  useEffect(() => {
    const before = previous.current
    if (day !== before.day && values.delivery_on === before.day) set('delivery_on', day)
    if (rateSeason !== before.rateSeason && values.season === before.rateSeason) set('season', rateSeason)
    previous.current = { day, rateSeason }
  }, [day, rateSeason, values.delivery_on, values.season, set])
}

function NewForm({ kind, choices }: { kind: Kind; choices: ProductChoices }) {
  const { t } = useI18n()
  const form = useAdminForm<NewProductValues, { redirect: string }>({
    id: `product-new-${kind}`,
    initial: blankValues(kind, choices),
    schema: newProductBody,
    bodyOf,
    save: (values) => adminPost('/admin/products/store', bodyOf(values), { once: `product-new-${kind}` }),
    onSaved: ({ redirect }) => location.assign(redirect),
  })
  useFollowCategory(form, kind, choices)
  return (
    <AdminForm form={form} cancelHref="/admin/products">
      <MediaFields readOnly={false} />
      <WhatFields choices={choices} kind={kind} />
      {kind === 'animal' ? (
        <>
          <AnimalFields choices={choices} />
          <FormSection title={t('products.weighing')}>
            <FormRow>
              <FormNumber name="weight_kg" label={t('products.weight')} />
              <FormText name="weighed_on" label={t('products.weighed-on')} type="date" max={choices.today} />
            </FormRow>
          </FormSection>
        </>
      ) : null}
      <SellingFields kind={kind} follows={t('products.price-later')} />
      {kind === 'goods' ? (
        <FormSection title={t('products.stock-title')}>
          <FormNumber name="stock" label={t('products.initial-stock')} hint={t('products.initial-stock-hint')} isOptional />
        </FormSection>
      ) : null}
      <StateFields statuses={PRODUCT_STATUSES} />
      <DeliveryFields />
    </AdminForm>
  )
}
