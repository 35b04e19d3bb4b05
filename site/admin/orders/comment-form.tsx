import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { TextArea } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import { commentBody } from '#features/orders/editing/forms.ts'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost, failureText } from '../ui/admin-post.ts'
import { maxLengthAt } from '../ui/form-schema.ts'
import { useLeaveGuard } from '../ui/use-form.ts'

interface CommentFormProps {
  order: AdminOrder
  onComment: (events: AdminOrder['events']) => void
}

/** Adds a comment of staff to the timeline. It is saved by itself, apart from the fields of the order. */
export function CommentForm({ order, onComment }: CommentFormProps) {
  const { t } = useI18n()
  const [text, setText] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  useLeaveGuard(text.trim() !== '')
  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    const once = `comment-${order.id}-${order.events[0]?.id ?? 0}`
    const written = await adminPost<{ order: AdminOrder }>(`/admin/orders/${order.id}/comments`, { text }, { once })
    setBusy(false)
    if (!written.ok) return setError(written.errors.text?.[0] ?? failureText(written, t))
    // What was typed meanwhile stays.
    setText((now) => (now === text ? '' : now))
    setError(null)
    showToast(t('admin-orders.comment-added'))
    // The version of the order stays that of the open fields, so that a conflict is still found.
    onComment(written.body.order.events)
  }
  return (
    <form className="mt-3 space-y-2" onSubmit={(event) => void submit(event)}>
      <TextArea
        label={t('admin-orders.comment')}
        hint={t('admin-orders.comment-hint')}
        rows={2}
        maxLength={maxLengthAt(commentBody, 'text')}
        value={text}
        error={error ?? undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" size="small" kind="secondary" busy={isBusy} disabled={text.trim() === ''}>
        {t('admin-orders.comment-add')}
      </Button>
    </form>
  )
}
