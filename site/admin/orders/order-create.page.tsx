import { useRef, useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import type { AreaJson } from '#features/catalog/types.ts'
import type { OrderDraft } from '#features/orders/drafts/drafts.server.ts'
import { storeOrderBody } from '#features/orders/editing/forms.ts'
import { needsReason, ORDER_STATUSES } from '#features/orders/rules.ts'
import type { DeliveryCalendar } from '#features/pricing/delivery-day-rules.ts'
import { phoneExample } from '#lib/format/phone.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { CustomerSearch } from './customer-search.tsx'
import { DeliveryDay } from './delivery-day.tsx'
import { DeliveryFields } from './delivery-fields.tsx'
import { KnownCustomer } from './known-customer.tsx'
import { OrderLines } from './order-lines.tsx'
import { OrderSummary } from './order-summary.tsx'
import { BLANK_NEW_ORDER, blankLine, type NewOrderValues, type OrderValues, sentLines } from './order-values.ts'
import { clearDraftAttempt, draftValues, openDraftKeys, useSaveDraft } from './save-draft.tsx'
import { NewOrderCharges, NewOrderPayment } from './new-order-charges.tsx'
import { shownTotal } from './new-order-sums.ts'
import { type CopiedLine, useCopiedLines } from './use-copied-lines.ts'
import { useOrderCoupon } from './use-order-coupon.ts'
import { useOrderTerms } from './use-order-terms.ts'
import type { PostResult } from '../ui/admin-post.ts'
import { attemptHeaders, clearAttempt, endAttempt } from '../ui/idempotency-key.ts'
import { FormRow, FormSection, FormSelect, FormText, AdminForm } from '../ui/form.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { useAdminForm } from '../ui/use-form.ts'

export interface Props {
  areas: AreaJson[]
  /** The customer's phone when the page was opened from a customer or a pre-booking; else empty. */
  phone: string
  /** What the customer wrote in the pre-booking that the page was opened from. */
  booked: { name: string; email: string } | null
  /** The customer and the products of an earlier order, for ordering again; never its money. */
  copied: CopiedOrder | null
  /** The draft that was opened; it ends with the order. */
  draft: OrderDraft | null
  /** The list day of an order that is placed now. */
  listOn: string
  calendar: DeliveryCalendar
  /** The reader has an open shift, whose drawer may take cash. */
  hasDrawer: boolean
}

export interface CopiedOrder {
  order_id: number
  contact: Pick<OrderValues, 'name' | 'address' | 'landmark' | 'area_id' | 'is_collection'>
  lines: CopiedLine[]
}

const NO_LINES: CopiedLine[] = []
/** Begins the id of the form of a new order, and is that of one without a customer. */
const PLAIN = 'order-new'

interface Created {
  message: string
  order_id: number
  redirect: string
}

/** Time to read the confirmation before the list opens. */
const REDIRECT_MS = 2000

/** What follows a created order: the list, its page, or the form of the next one. */
type Next = 'list' | 'open' | 'new'

/** Creates an order that came by phone or in person. */
export function Page({ areas: first, phone, booked, copied, draft, listOn, calendar, hasDrawer }: Props) {
  const { t, lang } = useI18n()
  const id = draft ? `order-draft-${draft.id}` : copied ? `order-again-${copied.order_id}` : `${PLAIN}${phone}`
  const [count, setCount] = useState(0)
  const { create, createdId } = useCreate(id, draft, hasDrawer)
  const { areas, takeTerms } = useOrderTerms(first)
  const next = useRef<Next>('list')
  const form = useAdminForm<NewOrderValues, Created>({
    id,
    initial: draft ? draftValues(draft) : { ...BLANK_NEW_ORDER, phone, ...booked, ...copied?.contact },
    schema: storeOrderBody,
    bodyOf: (values) => bodyOf(values, hasDrawer),
    async save(values) {
      const answer = await create(values, shownTotal(values, areas, coupon.priced))
      await takeTerms(form, coupon, answer)
      return answer
    },
    savedText: t('admin-orders.created'),
    onSaved(answer) {
      if (next.current === 'list') return void setTimeout(() => location.assign(answer.redirect), REDIRECT_MS)
      if (next.current === 'open') return void location.assign(`/admin/orders/update/${answer.order_id}`)
      // A reload of a draft, a copy or a pre-booking would open it again.
      if (id !== PLAIN) return void location.assign('/admin/orders/create')
      clearAttempt(id)
      setCount((now) => now + 1)
      setTimeout(() => document.getElementById('find-customer')?.focus())
      return { ...BLANK_NEW_ORDER, products: [blankLine()] }
    },
  })
  const isLoading = useCopiedLines(id, form, draft?.form.products ?? copied?.lines ?? NO_LINES, draft !== null)
  const { button: saveDraft, notice, discard } = useSaveDraft(id, form, draft, isLoading)
  const coupon = useOrderCoupon(form.values)
  function submit(then: Next) {
    next.current = then
    return form.submit()
  }
  const button = (then: Next, label: string) => (
    <Button kind="secondary" disabled={form.isSaving} onClick={() => void submit(then)}>
      {label}
    </Button>
  )
  return (
    <AdminLayout
      title={t('admin-orders.new')}
      actions={saveDraft}
      note={
        draft ? (
          <span className="chip chip-tag">{t('admin-orders.draft')}</span>
        ) : copied ? (
          <span className="chip chip-tag">{t('admin-orders.copied', { id: localizeDigits(lang, String(copied.order_id)) })}</span>
        ) : null
      }
      back={{ href: '/admin/orders', label: t('admin.nav.orders') }}
    >
      {notice}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,48rem)_minmax(0,20rem)]">
        <AdminForm
          form={{ ...form, discard, submit: () => submit('list') }}
          saveLabel={t('admin-orders.create')}
          cancelHref="/admin/orders"
          actions={
            <>
              {createdId === null ? null : (
                <ButtonLink kind="secondary" href={`/admin/orders/update/${createdId}`} target="_blank">
                  {t('settle.open')}
                </ButtonLink>
              )}
              {button('open', t('admin-orders.create-open'))}
              {button('new', t('admin-orders.create-next'))}
            </>
          }
        >
          <FormSection title={t('admin-orders.customer')}>
            <CustomerSearch key={`search-${count}`} onChoose={(phone) => form.set('phone', phone)} />
            <FormRow>
              <PhoneField />
              <FormText name="name" label={t('admin-orders.name')} />
            </FormRow>
            <KnownCustomer key={`known-${count}`} form={form} areas={areas} />
          </FormSection>
          <OrderLines form={form} />
          <FormSection title={t('admin-orders.contact')}>
            <DeliveryFields areas={areas} isCollection={form.values.is_collection} />
            <DeliveryDay form={form} listOn={listOn} calendar={calendar} areas={areas} />
            <FormText name="email" label={t('admin-orders.email')} isOptional type="email" inputMode="email" />
          </FormSection>
          <NewOrderCharges form={form} areas={areas} coupon={coupon} />
          <NewOrderPayment form={form} hasDrawer={hasDrawer} />
          <FirstStatus status={form.values.status} />
          <div className="xl:hidden">
            <OrderSummary values={form.values} areas={areas} coupon={coupon.priced} />
          </div>
        </AdminForm>
        <div className="max-xl:hidden xl:sticky xl:top-4">
          <OrderSummary values={form.values} areas={areas} coupon={coupon.priced} />
        </div>
      </div>
    </AdminLayout>
  )
}

/** The status in which the order is created. */
function FirstStatus({ status }: Pick<NewOrderValues, 'status'>) {
  const { t } = useI18n()
  return (
    <FormSection title={t('admin-orders.status')}>
      <FormSelect name="status" label={t('admin-orders.status')} options={ORDER_STATUSES.map((one) => [one, t(`order-status.${one}`)])} />
      {needsReason(status) ? <FormText name="reason" label={t('admin-orders.reason')} required /> : null}
    </FormSection>
  )
}

/** The body of the call; what was not entered is absent. */
function bodyOf({ list_on, is_collection, products, ...values }: NewOrderValues, hasDrawer: boolean) {
  const { coupon, advance_amount, advance_method, advance_transaction, advance_drawer, ...fields } = values
  const more = advance_method === 'cash' ? { advance_drawer: hasDrawer && advance_drawer } : { advance_transaction }
  const payment = { advance_amount, advance_method, ...more }
  return {
    ...fields,
    ...(list_on === '' ? {} : { list_on }),
    ...(is_collection ? { is_collection } : {}),
    ...(coupon.trim() === '' ? {} : { coupon: coupon.trim() }),
    ...(advance_amount.trim() === '' ? {} : payment),
    products: sentLines(products),
  }
}

/**
 * Sends the order under one key until an answer has come, so that a lost answer makes no second order, not even after a reload. A second press
 * before the next page opens sends the same again. `createdId` is the order that an earlier press has created, after the message that names it.
 */
function useCreate(form: string, draft: OrderDraft | null, hasDrawer: boolean) {
  const { t } = useI18n()
  // An order whose draft has changed meanwhile is created without it, after a message.
  const isDraftGone = useRef(false)
  const [createdId, setCreatedId] = useState<number | null>(null)
  async function create(values: NewOrderValues, total: number | undefined): Promise<PostResult<Created>> {
    const ends = draft && !isDraftGone.current ? { draft: { id: draft.id, version: draft.version } } : {}
    const body = { ...bodyOf(values, hasDrawer), shown_total: total, ...ends }
    const answer = await call<Created & Rejected>('/admin/orders/store', {
      method: 'POST',
      body,
      headers: { ...attemptHeaders(form, JSON.stringify(body)), ...openDraftKeys(form) },
    })
    if (answer.noResponse) return { ok: false, status: null, message: t('admin-orders.create-failed'), errors: {} }
    if (answer.body?.reason === 'draft') isDraftGone.current = true
    // A further press is another order.
    if (answer.body?.reason === 'created') clearAttempt(form)
    setCreatedId(answer.body?.reason === 'created' ? answer.body.order_id : null)
    if (answer.ok) {
      endAttempt(form)
      clearDraftAttempt(form)
      return { ok: true, body: answer.body }
    }
    return rejection(answer.status, answer.body ?? {}, t('admin-orders.went-wrong'))
  }
  return { create, createdId }
}

interface Rejected {
  message?: string
  reason?: string
  errors?: Record<string, string[]>
}

/** The result of a rejected order. The message of a broken shop is `wentWrong`. */
function rejection(status: number, { message, errors = {} }: Rejected, wentWrong: string): PostResult<Created> {
  const isSaid = Object.keys(errors).length > 0 || status < 500
  return { ok: false, status, message: (isSaid ? message : null) ?? wentWrong, errors }
}

function PhoneField() {
  const { t, lang } = useI18n()
  return <FormText name="phone" label={t('admin-orders.phone')} required inputMode="tel" type="tel" placeholder={phoneExample(lang)} />
}
