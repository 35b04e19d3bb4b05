import { MAX_TYPED_PHONE_LENGTH } from '#lib/format/input-limits.ts'
import { MAX_POS_CODE_LENGTH } from '#features/pos/limits.ts'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { TextField } from '#components/field.tsx'
import { useI18n } from '#page/page-context.tsx'
import { firstField } from './first-field.ts'
import type { Approve, TypedSupervisor } from './supervisor.ts'

interface SupervisorDialogProps {
  /** What the supervisor approves. */
  children: ReactNode
  /** Label of the button. */
  action: string
  /** After null the caller closes the dialog. */
  onApprove: Approve
  onClose: () => void
}

/** A supervisor types phone and approval code at the cashier's screen. */
export function SupervisorDialog({ children, action, onApprove, onClose }: SupervisorDialogProps) {
  const { t } = useI18n()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const typed = Object.fromEntries(new FormData(form)) as unknown as TypedSupervisor
    setBusy(true)
    const problem = await onApprove(typed)
    setBusy(false)
    if (problem === null) return
    setError(problem)
    const code = form.elements.namedItem('code') as HTMLInputElement
    code.value = ''
    code.focus()
  }
  return (
    <Dialog open onClose={onClose} title={t('pos.approval.title')} closeLabel={t('admin.close')}>
      {children}
      <form ref={firstField} onSubmit={submit} className="mt-4 space-y-4" autoComplete="off">
        <TextField
          name="phone"
          label={t('pos.approval.phone')}
          type="tel"
          inputMode="tel"
          autoComplete="off"
          maxLength={MAX_TYPED_PHONE_LENGTH}
          required
        />
        <TextField
          name="code"
          label={t('pos.approval.code')}
          type="password"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={MAX_POS_CODE_LENGTH}
          required
          error={error}
          className="tabular-nums text-center text-xl tracking-[0.3em]"
        />
        <Button type="submit" size="large" full busy={busy}>
          {action}
        </Button>
      </form>
    </Dialog>
  )
}
