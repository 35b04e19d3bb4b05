import type { AreaWithCharges } from '#features/orders/checkout/checkout-rules.ts'
import { storeOrderBody } from '#features/orders/editing/forms.ts'
import { needsReason, ORDER_STATUSES } from '#features/orders/rules.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { DeliveryFields } from './delivery-fields.tsx'
import { KnownCustomer } from './known-customer.tsx'
import { OrderLines } from './order-lines.tsx'
import { OrderSummary } from './order-summary.tsx'
import { OrderSums } from './order-totals.tsx'
import { BLANK_ORDER, type OrderValues, sentLines } from './order-values.ts'
import type { PostResult } from '../ui/admin-post.ts'
import { attemptKey, endAttempt } from '../ui/idempotency-key.ts'
import { FormRow, FormSection, FormSelect, FormText, AdminForm } from '../ui/form.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { useAdminForm } from '../ui/use-form.ts'

export interface Props {
  areas: AreaWithCharges[]
  /** The customer's phone when the page was opened from a customer; else empty. */
  phone: string
}

interface Created {
  message: string
  order_id: number
  redirect: string
}

/** Time to read the confirmation before the list opens. */
const REDIRECT_MS = 2000

/** Creates an order that came by phone or in person. */
export function Page({ areas, phone }: Props) {
  const { t } = useI18n()
  const id = `order-new${phone}`
  const create = useCreate(id)
  const form = useAdminForm<OrderValues, Created>({
    id,
    initial: { ...BLANK_ORDER, phone },
    schema: storeOrderBody,
    bodyOf,
    save: create,
    savedText: t('admin-orders.created'),
    onSaved(answer) {
      setTimeout(() => location.assign(answer.redirect), REDIRECT_MS)
    },
  })
  return (
    <AdminLayout title={t('admin-orders.new')} back={{ href: '/admin/orders', label: t('admin.nav.orders') }}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,48rem)_minmax(0,20rem)]">
        <AdminForm form={form} saveLabel={t('admin-orders.create')} cancelHref="/admin/orders">
          <FormSection title={t('admin-orders.customer')}>
            <FormRow>
              <FormText name="phone" label={t('admin-orders.phone')} required inputMode="tel" type="tel" placeholder="01XXXXXXXXX" />
              <FormText name="name" label={t('admin-orders.name')} />
            </FormRow>
            <FormText name="email" label={t('admin-orders.email')} isOptional type="email" inputMode="email" />
            <KnownCustomer form={form} areas={areas} />
          </FormSection>
          <FormSection title={t('admin-orders.contact')}>
            <DeliveryFields areas={areas} />
          </FormSection>
          <OrderLines form={form} />
          <OrderSums form={form} areas={areas} />
          <FormSection title={t('admin-orders.status')}>
            <FormSelect
              name="status"
              label={t('admin-orders.status')}
              options={ORDER_STATUSES.map((status) => [status, t(`order-status.${status}`)])}
            />
            {needsReason(form.values.status) ? <FormText name="reason" label={t('admin-orders.reason')} /> : null}
          </FormSection>
        </AdminForm>
        <OrderSummary values={form.values} areas={areas} />
      </div>
    </AdminLayout>
  )
}

function bodyOf({ list_on: _listOn, products, ...fields }: OrderValues) {
  return { ...fields, products: sentLines(products) }
}

/** Sends the order under one key until an answer has come, so that a lost answer makes no second order, not even after a reload. */
function useCreate(form: string) {
  const { t } = useI18n()
  return async (values: OrderValues): Promise<PostResult<Created>> => {
    const body = bodyOf(values)
    const answer = await call<Created & { message?: string; errors?: Record<string, string[]> }>('/admin/orders/store', {
      method: 'POST',
      body,
      headers: { 'idempotency-key': attemptKey(form, JSON.stringify(body)) },
    })
    if (answer.noResponse) return { ok: false, status: null, message: t('admin-orders.create-failed'), errors: {} }
    if (answer.ok) {
      endAttempt(form)
      return { ok: true, body: answer.body }
    }
    const errors = answer.body?.errors ?? {}
    const message = Object.keys(errors).length > 0 || answer.status < 500 ? (answer.body?.message ?? null) : null
    return { ok: false, status: answer.status, message: message ?? t('admin-orders.went-wrong'), errors }
  }
}
