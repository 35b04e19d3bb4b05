import { useEffect, useRef, useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { showToast } from '#components/toast.tsx'
import type { OrderDraft } from '#features/orders/drafts/drafts.server.ts'
import type { DraftForm } from '#features/orders/drafts/forms.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost, type PostResult } from '../ui/admin-post.ts'
import { clearAttempt, openKeys } from '../ui/idempotency-key.ts'
import { isSameInput } from '../ui/same-input.ts'
import type { AdminFormState } from '../ui/use-form.ts'
import { BLANK_NEW_ORDER, type NewOrderValues } from './order-values.ts'

type Saved = { id: number; version: number }

/** The name of the attempts to save the order of a form as a draft. They are those of one order, whose answers may have been lost. */
const attemptOf = (form: string) => `draft-of-${form}`

/** The header by which the order of the form ends a draft whose saving had no answer. */
export function openDraftKeys(form: string): Record<string, string> {
  const keys = openKeys(attemptOf(form))
  return keys.length > 0 ? { 'x-draft-keys': keys.join(' ') } : {}
}

/** After the order of the form was created: the next draft is that of another one. */
export const clearDraftAttempt = (form: string) => clearAttempt(attemptOf(form))

/** The draft of the new order of form `id`: the button that saves it, and what follows when another clerk has saved it since. */
export function useSaveDraft(id: string, form: AdminFormState<NewOrderValues>, draft: OrderDraft | null, isLoading: boolean) {
  const { t } = useI18n()
  const [isBusy, setBusy] = useState(false)
  const [conflict, setConflict] = useState<string | null>(null)
  const latest = useRef(form.values)
  useEffect(() => void (latest.current = form.values))

  async function save(isNew: boolean): Promise<void> {
    setBusy(true)
    const sent = latest.current
    const body = { form: draftOf(sent) }
    const once = attemptOf(id)
    const written =
      draft && !isNew
        ? await adminPost<Saved>(`/admin/orders/drafts/${draft.id}`, { ...body, version: draft.version }, { once })
        : await adminPost<Saved>('/admin/orders/drafts', body, { once })
    if (written.ok) {
      // The next page shows the stored draft: what was typed meanwhile belongs to it. The request names this attempt.
      if (!isSameInput(latest.current, sent)) return save(isNew)
      form.accept()
      showToast(t('admin-orders.draft-saved'))
      // After the render that drops the guard against leaving.
      return void setTimeout(() => location.assign(`/admin/orders/create?draft=${written.body.id}`))
    }
    setBusy(false)
    reject(written)
  }

  function reject({ status, message, errors }: Exclude<PostResult<Saved>, { ok: true }>) {
    const isStale = draft !== null && (status === 409 || status === 404)
    setConflict(isStale ? message : null)
    if (!isStale) showToast(Object.values(errors)[0]?.[0] ?? message ?? t('admin.no-answer'), { kind: 'error' })
  }

  const button = (
    <Button kind="secondary" busy={isBusy} disabled={form.isSaving || isLoading} onClick={() => void save(false)}>
      {t('admin-orders.draft-save')}
    </Button>
  )
  const notice =
    conflict === null || !draft ? null : (
      <div role="alert" className="mb-4 rounded-card border border-terracotta bg-milk p-4">
        <p className="font-semibold text-terracotta">{conflict}</p>
        <p className="mt-2 flex flex-wrap gap-2">
          <ButtonLink size="small" kind="secondary" href={`/admin/orders/create?draft=${draft.id}`}>
            {t('admin-orders.draft-open-theirs')}
          </ButtonLink>
          <Button size="small" busy={isBusy} onClick={() => void save(true)}>
            {t('admin-orders.draft-save-new')}
          </Button>
        </p>
      </div>
    )
  /** What is typed next is another order. */
  function discard() {
    clearDraftAttempt(id)
    form.discard()
  }
  return { button, notice, discard }
}

/** The stored part of the form, without empty lines. The drawer is that of the shift in which the order is created. */
function draftOf({ products, phone = '', advance_drawer: _drawer, ...values }: NewOrderValues): DraftForm {
  const lines = products.filter(({ product_id, product_name }) => product_id !== '' || product_name.trim() !== '')
  return {
    ...values,
    phone,
    products: lines.map(({ product_id, product_name, quantity, base_price, price_on_order, usual_price }) => ({
      product_id: product_id === '' ? null : product_id,
      name: product_name,
      quantity,
      base_price,
      price_on_order,
      ...(usual_price === undefined ? {} : { usual_price }),
    })),
  }
}

/** The initial values of a form that is opened from a draft; its products are loaded afterwards (`useCopiedLines`). */
export function draftValues({ form: { products: _lines, ...values } }: OrderDraft): NewOrderValues {
  return { ...BLANK_NEW_ORDER, ...values }
}
