import { useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { showToast } from '#components/toast.tsx'
import type { FinalWeighing } from '#features/cattle/settlement/final-weighings.server.ts'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import type { AreaWithCharges } from '#features/orders/checkout/checkout-rules.ts'
import type { OrderEmailJson } from '#features/email/queries.server.ts'
import { needsReason } from '#features/orders/rules.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { TEXT_LIMIT } from '#lib/format/text.ts'
import { Conflict } from './conflict.tsx'
import { DeliveryFields } from './delivery-fields.tsx'
import { OrderCustomer } from './order-customer.tsx'
import { OrderEmails } from './order-emails.tsx'
import { OrderLines } from './order-lines.tsx'
import { OrderMoney } from './order-money.tsx'
import { OrderSums } from './order-totals.tsx'
import { OrderWeighings, UnsettledWeighings } from './order-weighings.tsx'
import { OrderTimeline } from './order-timeline.tsx'
import { SendSms } from './send-sms.tsx'
import { StatusChip } from './status-chip.tsx'
import { TwoDeliveries } from './two-deliveries.tsx'
import { useOrderEdit } from './use-order-edit.ts'
import { adminPost } from '../ui/admin-post.ts'
import { FormRow, FormSection, FormSelect, FormText, AdminForm } from '../ui/form.tsx'
import { AlertIcon, PrintIcon } from '../ui/icons.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { usePermissions } from '../ui/use-permissions.ts'

export interface Props {
  order: AdminOrder
  weighings: FinalWeighing[]
  areas: AreaWithCharges[]
  emails: OrderEmailJson[]
  /** True after a form without script was saved. */
  saved: boolean
}

/** Edits an order: delivery, products and status. Customer, payments and timeline are beside the form. */
export function Page(props: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const [order, setOrder] = useState(props.order)
  const { form, conflict, dialogs } = useOrderEdit(order, setOrder, props.areas)
  const { status } = form.values
  const isClosed = !order.is_editable && status === order.status
  return (
    <AdminLayout
      title={t('admin-orders.title', { id: localizeDigits(lang, String(order.id)) })}
      note={<StatusChip status={order.status} />}
      back={{ href: '/admin/orders', label: t('admin.nav.orders') }}
      actions={
        <>
          <PrintLinks id={order.id} />
          {can('sms.send') && order.phone !== '' ? <SendSms orderId={order.id} phone={order.phone} /> : null}
        </>
      }
    >
      {order.needs_attention ? <Attention order={order} onDone={setOrder} /> : null}
      {...dialogs}
      <UnsettledWeighings weighings={props.weighings} onSettled={setOrder} />
      {conflict ? <Conflict {...conflict} mine={form.values} areas={props.areas} /> : null}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem] xl:grid-rows-[auto_1fr]">
        <div className="xl:col-start-2 xl:row-start-1">
          <OrderMoney order={order} onChange={setOrder} />
        </div>
        <div className="min-w-0 xl:col-start-1 xl:row-span-2 xl:row-start-1">
          <AdminForm form={form} readOnly={!can('orders.write')} cancelHref="/admin/orders">
            <FormSection
              title={t('admin-orders.status')}
              {...(isClosed ? { hint: t(order.statuses.length > 1 ? 'admin-orders.closed' : 'admin-orders.closed-for-you') } : {})}
            >
              <FormRow>
                <FormSelect
                  name="status"
                  label={t('admin-orders.status')}
                  options={order.statuses.map((one) => [one, t(`order-status.${one}`)])}
                />
                <FormText
                  name="list_on"
                  label={t('admin-orders.list-on')}
                  type="date"
                  disabled={isClosed}
                  {...(order.goods_on && order.goods_on > form.values.list_on && order.first_delivery_on === null
                    ? { hint: t('admin-orders.goods-from', { day: formatDay(order.goods_on, lang) }) }
                    : {})}
                />
              </FormRow>
              <TwoDeliveries order={order} />
              {needsReason(status) ? (
                <FormText
                  name="reason"
                  label={t('admin-orders.reason')}
                  required
                  maxLength={TEXT_LIMIT}
                  disabled={status === order.status}
                />
              ) : null}
              {form.errorOf('collected') ? (
                <p role="alert" className="font-semibold text-terracotta">
                  {form.errorOf('collected')}
                </p>
              ) : null}
            </FormSection>
            <fieldset disabled={isClosed} className="space-y-4">
              <OrderLines form={form} />
              <OrderSums form={form} areas={props.areas} order={order} />
              <FormSection title={t('admin-orders.contact')}>
                <FormRow>
                  <FormText name="name" label={t('admin-orders.name')} />
                  {order.phone === '' ? null : (
                    <FormText name="phone" label={t('admin-orders.phone')} required type="tel" inputMode="tel" />
                  )}
                </FormRow>
                <DeliveryFields areas={props.areas} />
              </FormSection>
            </fieldset>
          </AdminForm>
        </div>
        <div className="space-y-4 xl:col-start-2">
          <OrderCustomer order={order} />
          <OrderEmails emails={props.emails} />
          <OrderWeighings weighings={props.weighings} />
          <OrderTimeline order={order} areas={props.areas} />
        </div>
      </div>
    </AdminLayout>
  )
}

function PrintLinks({ id }: { id: number }) {
  const { t } = useI18n()
  return (
    <>
      <ButtonLink kind="secondary" size="small" href={`/admin/orders/invoice/${id}`} target="_blank">
        <PrintIcon size={17} />
        {t('admin-orders.print')}
      </ButtonLink>
      <ButtonLink kind="secondary" size="small" href={`/admin/orders/single_invoice/${id}`} target="_blank">
        {t('admin-orders.print-single')}
      </ButtonLink>
      <ButtonLink kind="secondary" size="small" href={`/admin/quick-orders/pos-invoice/${id}?from=order`} target="_blank">
        {t('admin-orders.print-pos')}
      </ButtonLink>
    </>
  )
}

const FLAGS = ['paid-after-end', 'paid-twice', 'payment-mismatch', 'risky-payment', 'refund-failed'] as const

/** The reason why an order needs attention, and the button that clears it. */
function Attention({ order, onDone }: { order: AdminOrder; onDone: (order: AdminOrder) => void }) {
  const { t } = useI18n()
  const { can } = usePermissions()
  const [isBusy, setBusy] = useState(false)
  const flag = FLAGS.find((known) => known === order.needs_attention)
  async function done() {
    setBusy(true)
    const written = await adminPost<{ order: AdminOrder }>(`/admin/orders/attention/${order.id}`, {})
    setBusy(false)
    if (written.ok) return onDone(written.body.order)
    showToast(written.message ?? t('admin.no-answer'), { kind: 'error' })
  }
  return (
    <div
      role="alert"
      className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card bg-terracotta-100 px-3.5 py-2.5 text-terracotta"
    >
      <AlertIcon className="shrink-0" />
      <p className="grow basis-60">
        <b>{t('admin-orders.attention')}:</b> {flag ? t(`admin-orders.attention.${flag}`) : order.needs_attention}
      </p>
      {can('orders.write') ? (
        <Button size="small" kind="secondary" busy={isBusy} onClick={done}>
          {t('admin-orders.attention-done')}
        </Button>
      ) : null}
    </div>
  )
}
