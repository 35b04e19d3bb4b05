import { useEffect, useRef, useState } from 'react'
import { focusIfLost } from '#components/focus-beside.ts'
import type { AreaJson } from '#features/catalog/types.ts'
import { updateOrderBody } from '#features/orders/editing/forms.ts'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import type { OrderStatus } from '#features/orders/rules.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost, mayBeSaved, type PostResult } from '../ui/admin-post.ts'
import { useAdminForm } from '../ui/use-form.ts'
import { usePermissions } from '../ui/use-permissions.ts'
import { differingFields } from './differing-fields.ts'
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
  /** Whether the answer of a step was lost: it may have recorded money. */
  const isStepLost = useRef(false)
  /** Fields of presses without an answer. They are sent again even when typed back: the order may have them already. */
  const attempted = useRef<readonly (keyof OrderValues)[]>([])
  /** The values of the last press without an answer. */
  const lost = useRef<OrderValues | null>(null)
  const [opened, setOpened] = useState<readonly Section[]>([])

  const bodyOf = (values: OrderValues) => ({
    ...changed(base.current.values, values, attempted.current),
    address: values.address,
    version: base.current.version,
    ...step.current,
  })

  async function save(values: OrderValues): Promise<PostResult<Saved>> {
    // Under one key until an answer comes: the shop tells a repeated press from a change by another person.
    const result = await adminPost<Saved>(`/admin/orders/update/${order.id}`, bodyOf(values), { once: id })
    if (result.ok) return result
    if (mayBeSaved(result)) {
      attempted.current = changedFields(base.current.values, values, attempted.current)
      lost.current = values
      isStepLost.current ||= step.current !== null
      // Saving again would take no step.
      return step.current ? { ...result, status: null, message: result.message ?? t('admin.no-answer') } : result
    }
    if (result.saved?.order) setTheirs(result.saved.order)
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
    isSame: isSameEdit,
    savedText: t('admin-orders.saved'),
    onSaved(answer) {
      const values = orderValues(answer.order)
      show(answer.order, values)
      close(opened[0])
      return values
    },
  })
  const latest = useRef(form)
  useEffect(() => void (latest.current = form))
  function show(saved: AdminOrder, values: OrderValues) {
    base.current = { values, version: saved.version }
    attempted.current = []
    lost.current = null
    isStepLost.current = false
    setTheirs(null)
    setOrder(saved)
  }
  /** Resets the form to a saved order. */
  function reopen(saved: AdminOrder) {
    const values = orderValues(saved)
    show(saved, values)
    latest.current.setAll(() => values)
    latest.current.accept()
  }
  /**
   * Takes the order that another action of the page has answered, such as a payment. Where another editor has changed the fields meanwhile the
   * form shows theirs. With unsaved changes it keeps its version, so that saving is a conflict; a press without an answer may have saved them.
   */
  function adopt(saved: AdminOrder) {
    const values = orderValues(saved)
    if (isSameEdit(base.current.values, values)) base.current.version = Math.max(base.current.version, saved.version)
    else if (!latest.current.isDirty || isSameEdit(latest.current.values, values)) return reopen(saved)
    // The lost press has saved it: what was typed since stays over it.
    else if (lost.current && !isStepLost.current && isSameEdit(lost.current, values)) return reopenUnder(saved, lost.current)
    setOrder(saved)
  }
  /** Resets the form to a saved order. Its values that differ from `before` stay over it, unsaved. */
  function reopenUnder(saved: AdminOrder, before: OrderValues) {
    const typed = latest.current.values
    const mine = changedFields(before, typed).map((field) => [field, typed[field]])
    reopen(saved)
    latest.current.setAll((values) => ({ ...values, ...Object.fromEntries(mine) }))
  }
  const conflict = theirs && {
    theirs,
    before: base.current.values,
    // Own changes over the saved order: fields that only the other editor changed keep the saved value.
    keepMine: () => reopenUnder(theirs, base.current.values),
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
    const answer = await ask(to, { wasLost: isStepLost.current })
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
    if (section) focusIfLost(`#edit-${section}`)
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

/** Set by the steps of the order, never by its fields. */
const STEP_FIELDS: readonly (keyof OrderValues)[] = ['status', 'reason']

/** Whether the fields that staff edit are stored as the same. The stock left, for example, changes by itself. */
function isSameEdit(a: OrderValues, b: OrderValues): boolean {
  return differingFields(a, b).every((field) => STEP_FIELDS.includes(field))
}

/** The fields whose values differ from `before`, or are among `others`. */
function changedFields(before: OrderValues, now: OrderValues, others: readonly (keyof OrderValues)[] = []): (keyof OrderValues)[] {
  return (Object.keys(now) as (keyof OrderValues)[]).filter(
    (field) => !STEP_FIELDS.includes(field) && (others.includes(field) || JSON.stringify(before[field]) !== JSON.stringify(now[field])),
  )
}

/** The changed fields as they are sent. */
function changed(before: OrderValues, now: OrderValues, attempted: readonly (keyof OrderValues)[]): Record<string, unknown> {
  const fields = changedFields(before, now, attempted)
  const sent = Object.fromEntries(fields.map((field) => [field, field === 'products' ? sentLines(now.products) : now[field]]))
  return {
    ...sent,
    // A change of area sends the charge in the field too, even an unchanged one. An empty charge is the saved one.
    ...('area_id' in sent || 'shipping_cost' in sent ? { shipping_cost: now.shipping_cost.trim() || before.shipping_cost } : {}),
    // An empty discount is sent as 0.
    ...(sent.discount === '' ? { discount: 0 } : {}),
  }
}
