import { useRef, useState } from 'react'
import type { AreaWithCharges } from '#features/orders/checkout/checkout-rules.ts'
import { updateOrderBody } from '#features/orders/editing/forms.ts'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { useConfirm } from '../ui/confirm.tsx'
import type { SerializedResult } from '../ui/admin-post.ts'
import { storeDraft } from '../ui/draft.ts'
import { useAdminForm } from '../ui/use-form.ts'
import { useDeliveryCheck } from './delivery-check.tsx'
import { followArea, orderValues, type OrderValues, sentLines } from './order-values.ts'

interface Saved {
  order: AdminOrder
}

/** The form of an order that is there; `conflict` while somebody else's saving stands in the way of one's own. */
export function useOrderEdit(order: AdminOrder, setOrder: (order: AdminOrder) => void, areas: readonly AreaWithCharges[]) {
  const { t, lang } = useI18n()
  const [theirs, setTheirs] = useState<AdminOrder | null>(null)
  // What the form was filled from: only what differs from it is sent, so that nothing is set that nobody touched.
  const seen = useRef({ values: orderValues(order), version: order.version })
  seen.current.version = Math.max(seen.current.version, order.version)
  const id = `order-${order.id}`
  const { check, dialog } = useDeliveryCheck()
  const { ask, dialog: cancelDialog } = useConfirm()
  /** Cash collected at the door, for the saving under way. */
  const collected = useRef<string | undefined>(undefined)

  const bodyOf = (values: OrderValues) => ({
    ...changed(seen.current.values, values),
    address: values.address,
    version: seen.current.version,
    collected: collected.current,
  })

  async function save(values: OrderValues): Promise<SerializedResult<Saved>> {
    const answer = await call<Saved & { message?: string; errors?: Record<string, string[]> }>(`/admin/orders/update/${order.id}`, {
      method: 'POST',
      body: bodyOf(values),
    })
    if (answer.noResponse) return { ok: false, status: null, message: null, errors: {} }
    if (answer.ok) return { ok: true, body: answer.body }
    if (answer.status === 409 && answer.body?.order) setTheirs(answer.body.order)
    return { ok: false, status: answer.status, message: answer.body?.message ?? null, errors: answer.body?.errors ?? {} }
  }

  const form = useAdminForm<OrderValues, Saved>({
    id,
    initial: orderValues(order),
    version: order.version,
    schema: updateOrderBody,
    bodyOf,
    save,
    savedText: t('admin-orders.saved'),
    onSaved(answer) {
      const values = orderValues(answer.order)
      seen.current = { values, version: answer.order.version }
      setTheirs(null)
      setOrder(answer.order)
      return values
    },
  })
  const conflict = theirs && {
    theirs,
    before: seen.current.values,
    keepMine() {
      // Measured against theirs: what only they changed stays as they have it.
      const mine = { ...orderValues(theirs), ...changed(seen.current.values, form.values, true) } as OrderValues
      seen.current = { values: orderValues(theirs), version: theirs.version }
      setTheirs(null)
      setOrder(theirs)
      form.setAll(() => mine)
    },
    takeTheirs() {
      storeDraft(id, null)
      seen.current = { values: orderValues(theirs), version: theirs.version }
      setTheirs(null)
      setOrder(theirs)
      form.setAll(() => orderValues(theirs))
    },
  }
  // The delivery charge follows the area.
  const set: typeof form.set = (key, value, field) => {
    form.set(key, value, field)
    if (key === 'area_id') form.set('shipping_cost', followArea(form.values, String(value), order, areas))
  }
  // Every such answer brings their order, and is dealt with there.
  const problem = form.problem === 'stale' ? null : form.problem
  /** Asks before an order with money on it is cancelled. */
  async function mayCancel(): Promise<boolean> {
    if (form.values.status !== 'cancelled' || seen.current.values.status === 'cancelled' || order.paid <= 0) return true
    return ask({
      title: t('admin-orders.cancel-title', { id: localizeDigits(lang, String(order.id)) }),
      text: t('admin-orders.cancel-paid', { amount: formatTaka(takaToPoisha(order.paid), lang) }),
      action: t('admin-orders.cancel-go'),
    })
  }
  async function submit(): Promise<boolean> {
    const { status } = form.values
    const answer = status === seen.current.values.status ? new Map<number, string>() : await check([order.id], status)
    if (answer === null) return false
    if (!(await mayCancel())) return false
    collected.current = answer.get(order.id)
    return form.submit()
  }
  return { form: { ...form, set, problem, submit }, conflict, dialogs: [dialog, cancelDialog] }
}

/** The fields that differ from what the form was filled with, as they are sent, or (`asTyped`) as the form holds them. */
function changed(before: OrderValues, now: OrderValues, asTyped = false): Record<string, unknown> {
  const fields = (Object.keys(now) as (keyof OrderValues)[]).filter((field) => JSON.stringify(before[field]) !== JSON.stringify(now[field]))
  if (asTyped) return Object.fromEntries(fields.map((field) => [field, now[field]]))
  const sent = Object.fromEntries(fields.map((field) => [field, field === 'products' ? sentLines(now.products) : now[field]]))
  return {
    ...sent,
    // In another area the charge is the one that stands in the field, the old one too.
    ...('area_id' in sent ? { shipping_cost: now.shipping_cost } : {}),
    // An emptied discount is none; an emptied charge keeps the old one.
    ...(sent.discount === '' ? { discount: 0 } : {}),
  }
}
