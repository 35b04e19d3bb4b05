import { useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import type { FinalWeighing } from '#features/cattle/settlement/final-weighings.server.ts'
import { ATTENTION_FLAGS } from '#features/ledger/rules.ts'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import type { AreaJson } from '#features/catalog/types.ts'
import type { OrderEmailJson } from '#features/email/queries.server.ts'
import type { OpenPayment } from '#features/payments/queries.server.ts'
import { stepKind } from '#features/orders/rules.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { Conflict } from './conflict.tsx'
import { DeliveryFields } from './delivery-fields.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderCustomer } from './order-customer.tsx'
import { OrderDetails } from './order-details.tsx'
import { OrderEmails } from './order-emails.tsx'
import { OrderItems } from './order-items.tsx'
import { OrderLines } from './order-lines.tsx'
import { OrderMoney } from './order-money.tsx'
import { OrderSums } from './order-totals.tsx'
import { OrderWeighings, UnsettledWeighings } from './order-weighings.tsx'
import type { OrderValues } from './order-values.ts'
import { OrderTags } from './order-tags.tsx'
import { OrderTimeline } from './order-timeline.tsx'
import { ReturnDialog } from './return-dialog.tsx'
import { SendSms } from '../ui/send-sms.tsx'
import { StatusChip } from './status-chip.tsx'
import { TwoDeliveries } from './two-deliveries.tsx'
import { useOrderEdit } from './use-order-edit.ts'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { FormPart, FormRow, FormSection, FormText, RestoredDraft, useSaveKey } from '../ui/form.tsx'
import { AlertIcon, PrintIcon } from '../ui/icons.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { SaveBar } from '../ui/save-bar.tsx'
import type { AdminFormState } from '../ui/use-form.ts'
import { usePermissions } from '../ui/use-permissions.ts'

export interface Props {
  order: AdminOrder
  weighings: FinalWeighing[]
  areas: AreaJson[]
  emails: OrderEmailJson[]
  /** The tags in use, for suggestions. */
  usedTags: string[]
  /** The reader has an open shift, whose drawer may take the cash of the order. */
  hasDrawer: boolean
  openPayment: OpenPayment | null
  /** True after a form without script was saved. */
  saved: boolean
}

/** An order: products and payments first, its details as text with their fields on demand, its next steps as buttons. */
export function Page(props: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const [order, setOrder] = useState(props.order)
  const { form, conflict, dialogs, takeStep, sections, adopt } = useOrderEdit(order, setOrder, props)
  const mayWrite = can('orders.write')
  const isEditable = mayWrite && order.is_editable
  const [isEditingLines, isEditingDetails] = [isEditable && sections.isOpen('lines'), isEditable && sections.isOpen('details')]
  return (
    <AdminLayout
      title={t('admin-orders.title', { id: localizeDigits(lang, String(order.id)) })}
      note={<StatusChip status={order.status} />}
      back={{ href: '/admin/orders', label: t('admin.nav.orders') }}
      actions={
        <>
          {mayWrite ? <Steps order={order} isBusy={form.isSaving} onStep={(to) => void takeStep(to)} onReturned={adopt} /> : null}
          <PrintLinks id={order.id} />
          <SendSms size="small" url={`/admin/orders/send_sms/${order.id}`} orderId={order.id} phone={order.phone} />
        </>
      }
    >
      {order.needs_attention ? <Attention order={order} onDone={adopt} /> : null}
      {...dialogs}
      <StepErrors form={form} />
      <UnsettledWeighings order={order} weighings={props.weighings} onSettled={adopt} />
      {conflict ? <Conflict {...conflict} mine={form.values} areas={props.areas} /> : null}
      {isEditable ? <RestoredDraft form={form} /> : null}
      {mayWrite ? <Closed order={order} /> : null}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem] xl:grid-rows-[auto_1fr]">
        <div className="min-w-0" id="lines">
          {isEditingLines ? (
            <FormPart form={form}>
              <OrderLines form={form} />
              <OrderSums form={form} areas={props.areas} order={order} />
            </FormPart>
          ) : (
            <OrderItems order={order} onEdit={isEditable ? () => sections.open('lines') : undefined} />
          )}
        </div>
        <div className="space-y-4 xl:col-start-2 xl:row-span-2 xl:row-start-1">
          <OrderMoney order={order} hasDrawer={props.hasDrawer} openPayment={props.openPayment} onChange={adopt} />
          <OrderCustomer order={order} />
          <OrderTags orderId={order.id} tags={order.tags} usedTags={props.usedTags} />
        </div>
        <div className="min-w-0 space-y-4" id="details">
          {isEditingDetails ? (
            <DetailFields form={form} order={order} areas={props.areas} />
          ) : (
            <OrderDetails order={order} areas={props.areas} onEdit={isEditable ? () => sections.open('details') : undefined} />
          )}
          <TwoDeliveries order={order} />
          <OrderEmails emails={props.emails} />
          <OrderWeighings order={order} weighings={props.weighings} />
          <OrderTimeline
            order={order}
            areas={props.areas}
            onComment={mayWrite ? (events) => setOrder((current) => ({ ...current, events })) : undefined}
          />
        </div>
      </div>
      <EditBar form={form} isEditing={isEditingLines || isEditingDetails} onDiscard={sections.cancel} />
    </AdminLayout>
  )
}

interface StepsProps {
  order: AdminOrder
  isBusy: boolean
  onStep: (to: AdminOrder['status']) => void
  onReturned: (order: AdminOrder) => void
}

/** The next steps of the order, and the dialog that takes products back. */
function Steps({ order, isBusy, onStep, onReturned }: StepsProps) {
  const [isReturning, setReturning] = useState(false)
  return (
    <>
      <OrderActions order={order} isBusy={isBusy} onStep={onStep} onReturn={() => setReturning(true)} />
      {isReturning ? <ReturnDialog order={order} close={() => setReturning(false)} onChange={onReturned} /> : null}
    </>
  )
}

interface EditBarProps {
  form: AdminFormState<OrderValues>
  isEditing: boolean
  onDiscard: () => void
}

/** The save bar while fields are open. Cancel closes them; it asks before typed changes are discarded. */
function EditBar({ form, isEditing, onDiscard }: EditBarProps) {
  const { t } = useI18n()
  const { ask, dialog } = useConfirm()
  useSaveKey(form, isEditing)
  async function cancel() {
    const question = { title: t('admin-orders.discard-title'), text: t('admin-orders.discard-text'), action: t('admin.discard') }
    if (!form.isDirty || (await ask(question))) onDiscard()
  }
  return (
    <>
      {dialog}
      {isEditing || form.problem ? <SaveBar form={form} cancel={cancel} /> : null}
    </>
  )
}

/** The fields of contact, delivery and notes. */
function DetailFields({ form, order, areas }: { form: AdminFormState<OrderValues>; order: AdminOrder; areas: AreaJson[] }) {
  const { t, lang } = useI18n()
  const { list_on: listOn, is_collection: isCollection, phone } = form.values
  const { goods_on: goodsOn } = order
  const isMoved = goodsOn !== null && goodsOn > listOn && order.first_delivery_on === null
  return (
    <FormPart form={form}>
      <FormSection title={t('admin-orders.contact')}>
        <FormRow>
          <FormText name="name" label={t('admin-orders.name')} />
          {order.phone === '' ? null : (
            <FormText
              name="phone"
              label={t('admin-orders.phone')}
              hint={phone === order.phone ? undefined : t('admin-orders.phone-changes')}
              required
              type="tel"
              inputMode="tel"
            />
          )}
        </FormRow>
        <DeliveryFields areas={areas} isCollection={isCollection} />
        <FormText
          name="list_on"
          label={t('admin-orders.list-on')}
          type="date"
          hint={isMoved ? t('admin-orders.goods-from', { day: formatDay(goodsOn, lang) }) : undefined}
        />
      </FormSection>
    </FormPart>
  )
}

/** Why the last step was not taken. */
function StepErrors({ form }: { form: AdminFormState<OrderValues> }) {
  const errors = [form.errorOf('status'), form.errorOf('reason'), form.errorOf('collected')].filter(Boolean)
  return errors.length === 0 ? null : (
    <p role="alert" className="mb-4 rounded-card bg-terracotta-100 px-3.5 py-2.5 font-semibold text-terracotta">
      {errors.join(' ')}
    </p>
  )
}

/** Why the order cannot be edited, and how it can again. */
function Closed({ order }: { order: AdminOrder }) {
  const { t } = useI18n()
  if (order.is_editable) return null
  if (order.has_returns) return <p className="mb-3 text-sm text-stone">{t('returns.not-editable')}</p>
  const canReopen = order.statuses.some((to) => to !== order.status && stepKind(order.status, to) === 'reopen')
  return <p className="mb-3 text-sm text-stone">{t(canReopen ? 'admin-orders.closed' : 'admin-orders.closed-for-you')}</p>
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

/** The reason why an order needs attention, and the button that clears it. */
function Attention({ order, onDone }: { order: AdminOrder; onDone: (order: AdminOrder) => void }) {
  const { t } = useI18n()
  const { can } = usePermissions()
  const [isBusy, setBusy] = useState(false)
  const flag = ATTENTION_FLAGS.find((known) => known === order.needs_attention)
  async function done() {
    setBusy(true)
    const written = await adminPost<{ order: AdminOrder }>(`/admin/orders/attention/${order.id}`, {})
    setBusy(false)
    if (written.ok) return onDone(written.body.order)
    showFailure(written, t)
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
