import { useState } from 'react'
import type { WeighInJson } from '#features/catalog/types.ts'
import { productBody } from '#features/catalog/products/forms.ts'
import type { StockMovement } from '#features/catalog/products/count-stock.server.ts'
import type { HealthRecord } from '#features/catalog/products/health-records.server.ts'
import type { ProductDetails } from '#features/catalog/products/product-editor-queries.server.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { VisibilityChip, StatusChip } from './chips.tsx'
import { AnimalFields, DeliveryFields, SellingFields, StateFields, WhatFields } from './fields.tsx'
import { bodyOf, openedAfterCount, type ProductChoices, type ProductValues, valuesOf } from './form-values.ts'
import { HealthCard } from './health-card.tsx'
import { MediaFields } from './media-fields.tsx'
import { ProductActions } from './product-actions.tsx'
import { StockCard } from './stock-card.tsx'
import { WeighingsCard } from './weighings-card.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { AdminForm } from '../ui/form.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { useAdminForm } from '../ui/use-form.ts'
import { usePermissions } from '../ui/use-permissions.ts'

export interface Props extends ProductChoices {
  product: ProductDetails
  movements: StockMovement[]
  weighIns: WeighInJson[]
  health: HealthRecord[]
  /** People who get an SMS when the product can be ordered. */
  waiting: number
}

/** One product: its form, and beside it stock, weighings and history. */
export function Page({ product: initial, movements, weighIns, health, waiting, ...choices }: Props) {
  const { t, lang } = useI18n()
  const { sendsSms } = usePageContext()
  const { can } = usePermissions()
  const [product, setProduct] = useState(initial)
  /** The record that the form was opened with. */
  const [opened, setOpened] = useState(initial)
  const { kind, state } = product
  const mayWrite = can('catalog.write')
  const readOnly = !mayWrite || state.isArchived
  const toBody = (values: ProductValues) => ({ ...bodyOf(values), version: opened.version })
  const form = useAdminForm<ProductValues, { product: ProductDetails }>({
    id: `product-${product.id}`,
    initial: valuesOf(initial),
    version: opened.version,
    schema: productBody,
    bodyOf: toBody,
    save: (values) => adminPost(`/admin/products/${product.id}`, toBody(values)),
    onSaved(answer) {
      setProduct(answer.product)
      setOpened(answer.product)
      return valuesOf(answer.product)
    },
  })
  const name = lang === 'bn' ? product.name_bn : product.name_en
  return (
    <AdminLayout
      title={name}
      note={
        <span className="flex flex-wrap items-center gap-2">
          {product.tag_number ? <span className="ear-tag -rotate-2">{product.tag_number}</span> : null}
          <StatusChip status={product.status} />
          <VisibilityChip isArchived={state.isArchived} visible={product.visible} />
          {waiting > 0 ? (
            <span className="tabular-nums text-sm">{t('products.waiting', { count: formatNumber(waiting, lang), sms: sendsSms })}</span>
          ) : null}
        </span>
      }
      back={{ href: '/admin/products', label: t('admin.nav.products') }}
      actions={<ProductActions product={product} mayWrite={mayWrite} isDirty={form.isDirty} />}
    >
      {state.isArchived ? (
        <p className="stitch mb-4 max-w-3xl rounded-card bg-tag-100 px-3.5 py-2.5">{t('products.archived-text')}</p>
      ) : null}
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,48rem)_minmax(18rem,1fr)]">
        <AdminForm form={form} readOnly={readOnly} cancelHref="/admin/products">
          <MediaFields readOnly={readOnly} />
          <WhatFields choices={choices} kind={kind} />
          {kind === 'animal' ? <AnimalFields choices={choices} /> : null}
          <SellingFields
            kind={kind}
            follows={
              state.weight_kg === null
                ? t('products.price-later')
                : t('products.price-follows', { price: formatTaka(takaToPoisha(product.price), lang) })
            }
          />
          <StateFields statuses={state.statuses} state={state} />
          <DeliveryFields />
        </AdminForm>
        <div className="grid max-w-3xl gap-4">
          {kind === 'animal' ? (
            <>
              <WeighingsCard product={product} weighIns={weighIns} mayWeigh={can('weighins.write')} />
              <HealthCard product={product} records={health} today={choices.today} mayWrite={mayWrite} />
            </>
          ) : (
            <StockCard
              product={product}
              movements={movements}
              mayWrite={mayWrite && !state.isArchived}
              onCounted={(counted, isEntered) => {
                if (isEntered && !form.isDirty) return location.reload()
                setOpened(openedAfterCount(opened, counted))
                setProduct(counted)
                form.set('status', (now) => (now === product.status ? counted.status : now))
              }}
            />
          )}
        </div>
      </div>
    </AdminLayout>
  )
}
