import { useEffect, useRef, useState } from 'react'
import { focusIfLost } from '#components/focus-beside.ts'
import type { AreaJson } from '#features/catalog/types.ts'
import { updateOrderBody } from '#features/orders/editing/forms.ts'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import type { OrderStatus } from '#features/orders/rules.ts'
import { parseAmount, takaToPoisha, ZERO } from '#lib/format/money.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { mayBeSaved, type PostResult } from '../ui/admin-post.ts'
import { isSameInput } from '../ui/same-input.ts'
import { useAdminForm } from '../ui/use-form.ts'
import { usePermissions } from '../ui/use-permissions.ts'
import { type StepAnswer, useStepQuestions } from './order-actions.tsx'
import { takeUsualPrices } from './refused-prices.ts'
import { followCharge, orderValues, type OrderValues, sentLines } from './order-values.ts'

interface Saved {
  order: AdminOrder
}

type Step = StepAnswer & { status: OrderStatus }

interface OrderEditOptions {
  areas: readonly AreaJson[]
}

/** The form of a saved order. `conflict` is set after a save failed because another editor saved first. */
export function useOrderEdit(order: AdminOrder, setOrder: (order: AdminOrder) => void, { areas }: OrderEditOptions) {
  const { t } = useI18n()
  const { can } = usePermissions()
  const [theirs, setTheirs] = useState<AdminOrder | null>(null)
  // The values that the form was opened with. Only differences are sent, so that untouched fields stay as they are.
  const base = useRef({ values: orderValues(order), version: order.version })
  const id = `order-${order.id}`
  const { ask, clearReason, dialogs } = useStepQuestions(order)
  /** The step that the current save takes. */
  const step = useRef<Step | null>(null)
  /** The step whose answer was lost. */
  const lost = useRef<Step | null>(null)
  const [opened, setOpened] = useState<readonly Section[]>([])

  const bodyOf = (values: OrderValues) => ({
    ...changed(base.current.values, values),
    address: values.address,
    version: base.current.version,
    ...step.current,
  })

  async function save(values: OrderValues): Promise<PostResult<Saved>> {
    const { result, theirs } = await sendOrder(order.id, bodyOf(values))
    const steps = [step.current, lost.current].filter((one) => one?.status === step.current?.status)
    // As it was sent: a press whose answer was lost has saved it.
    const isSaved = theirs && isSameEdit(orderValues(theirs), values) && steps.some((one) => one === null || isTaken(one, order, theirs))
    if (isSaved) return { ok: true, body: { order: theirs } }
    if (!result.ok && mayBeSaved(result)) {
      lost.current = step.current
      // Saving again would take no step.
      return step.current ? { ...result, status: null, message: result.message ?? t('admin.no-answer') } : result
    }
    if (theirs) setTheirs(theirs)
    await takeUsualPrices(form, result, can('orders.price'))
    return result
  }

  const form = useAdminForm<OrderValues, Saved>({
    id,
    initial: orderValues(order),
    version: order.version,
    schema: updateOrderBody,
    bodyOf,
    save,
    showsConflict: true,
    savedText: t('admin-orders.saved'),
    onSaved(answer) {
      const values = orderValues(answer.order)
      base.current = { values, version: answer.order.version }
      lost.current = null
      setTheirs(null)
      setOrder(answer.order)
      close(opened[0])
      return values
    },
  })
  const latest = useRef(form)
  useEffect(() => void (latest.current = form))
  /** Resets the form to a saved order. */
  function reopen(saved: AdminOrder) {
    const values = orderValues(saved)
    base.current = { values, version: saved.version }
    setTheirs(null)
    setOrder(saved)
    latest.current.setAll(() => values)
    latest.current.accept()
  }
  /**
   * Takes the order that another action of the page has answered, such as a payment. Where another editor has changed the fields meanwhile the
   * form shows theirs. With unsaved changes it keeps its version, so that saving is a conflict.
   */
  function adopt(saved: AdminOrder) {
    if (isSameEdit(base.current.values, orderValues(saved))) base.current.version = Math.max(base.current.version, saved.version)
    else if (!latest.current.isDirty) return reopen(saved)
    setOrder(saved)
  }
  const conflict = theirs && {
    theirs,
    before: base.current.values,
    // Own changes over the saved order: fields that only the other editor changed keep the saved value.
    keepMine() {
      const mine = changed(base.current.values, form.values, true)
      reopen(theirs)
      form.setAll((saved) => ({ ...saved, ...mine }))
    },
    takeTheirs: () => reopen(theirs),
  }
  // The delivery charge follows the area, and becomes that of one delivery where the lines or the day leave one of two.
  const set: typeof form.set = (key, value, field) => {
    const { values } = latest.current
    form.set(key, value, field)
    if (key !== 'area_id' && key !== 'products' && key !== 'list_on') return
    const changes = { [key]: typeof value === 'function' ? value(values[key]) : value }
    const charge = followCharge(values, changes, order, areas)
    if (charge !== values.shipping_cost) form.set('shipping_cost', charge)
  }
  // The conflict notice handles a stale order. Of a step without an answer nothing is left to save.
  const isHandled = form.problem === 'stale' || (form.problem === 'offline' && !form.isDirty)
  const problem = isHandled ? null : form.problem
  /** Takes a step of the order, together with the unsaved changes of its fields. */
  async function takeStep(to: OrderStatus): Promise<void> {
    const answer = await ask(to, { wasLost: lost.current !== null })
    if (answer === null) return
    step.current = { status: to, ...answer }
    const isTaken = await form.submit()
    step.current = null
    if (!isTaken) return
    clearReason()
    // The pressed button is gone: the focus goes to the next step, else to the menu of the others.
    focusIfLost('[data-step], [data-menu]')
  }

  const isOpen = (section: Section) =>
    opened.includes(section) ||
    SECTIONS[section].some(
      (field) => form.hasError(field) || JSON.stringify(base.current.values[field]) !== JSON.stringify(form.values[field]),
    )
  function open(section: Section) {
    setOpened([...opened, section])
    setTimeout(() => document.querySelector<HTMLElement>(`#${section} :is(input, textarea):not([readonly], [disabled])`)?.focus())
  }
  /** Closes all sections. The focus returns to the button of one of them. */
  function close(section: Section | undefined) {
    setOpened([])
    if (section) setTimeout(() => document.getElementById(`edit-${section}`)?.focus())
  }
  const cancel = () => {
    form.discard()
    close(opened[0])
  }
  const sections = { open, isOpen, cancel }
  return { form: { ...form, set, problem }, conflict, dialogs, takeStep, sections, adopt }
}

/** The parts of an order whose fields open together. */
export type Section = 'lines' | 'details'

const SECTIONS: Record<Section, readonly (keyof OrderValues)[]> = {
  lines: ['products', 'shipping_cost', 'discount'],
  details: ['name', 'phone', 'address', 'area_id', 'landmark', 'note', 'remarks', 'list_on', 'is_collection'],
}

/** Sends the changes of an order; `theirs` is the order as another editor saved it before (409). */
async function sendOrder(id: number, body: object): Promise<{ result: PostResult<Saved>; theirs?: AdminOrder | undefined }> {
  const answer = await call<Saved & { message?: string; errors?: Record<string, string[]> }>(`/admin/orders/update/${id}`, {
    method: 'POST',
    body,
  })
  if (answer.noResponse) return { result: { ok: false, status: null, message: null, errors: {} } }
  if (answer.ok) return { result: { ok: true, body: answer.body } }
  const { message = null, errors = {}, order } = answer.body ?? {}
  return { result: { ok: false, status: answer.status, message, errors }, theirs: answer.status === 409 ? order : undefined }
}

/** Whether the saved order has the step with its reason, and the money that was collected. */
function isTaken({ status, reason, collected }: Step, before: AdminOrder, saved: AdminOrder): boolean {
  const amount = collected === undefined ? ZERO : parseAmount(collected)
  const hasMoney = amount !== null && takaToPoisha(saved.paid) === takaToPoisha(before.paid) + amount
  return saved.status === status && isSameInput(saved.reason ?? '', reason) && hasMoney
}

/** Set by the steps of the order, never by its fields. */
const STEP_FIELDS: readonly (keyof OrderValues)[] = ['status', 'reason']

/** Whether the fields that staff edit are equal. The stock left, for example, changes by itself. */
function isSameEdit(a: OrderValues, b: OrderValues): boolean {
  return isSameInput(editedFields(a), editedFields(b))
}

/**
 * The fields that staff edit, as the server reads them; as typed where it refuses them. It sets base prices itself, stores no usual price, and
 * moves new lines to the end.
 */
function editedFields({ status: _status, reason: _reason, products, ...fields }: OrderValues): unknown {
  const lines = sentLines(products).map(({ usual_price: _usual, base_price: _base, ...line }) => line)
  lines.sort((a, b) => Number(a.product_id) - Number(b.product_id))
  const body = { ...fields, discount: fields.discount || 0, products: lines }
  return updateOrderBody.safeParse(body).data ?? body
}

/** The fields that differ from `before`: as sent, or with `asTyped` as form values. */
function changed(before: OrderValues, now: OrderValues, asTyped = false): Record<string, unknown> {
  const fields = (Object.keys(now) as (keyof OrderValues)[]).filter(
    (field) => !STEP_FIELDS.includes(field) && JSON.stringify(before[field]) !== JSON.stringify(now[field]),
  )
  if (asTyped) return Object.fromEntries(fields.map((field) => [field, now[field]]))
  const sent = Object.fromEntries(fields.map((field) => [field, field === 'products' ? sentLines(now.products) : now[field]]))
  return {
    ...sent,
    // A change of area sends the charge in the field too, even an unchanged one.
    ...('area_id' in sent ? { shipping_cost: now.shipping_cost } : {}),
    // An empty discount is sent as 0; an empty charge leaves the saved one.
    ...(sent.discount === '' ? { discount: 0 } : {}),
  }
}
