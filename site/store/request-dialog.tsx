import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'

interface RequestDialogProps<Field extends string> {
  /** The API call that takes the request, and what is sent to it. */
  path: string
  body: object
  /** The fields of the form in their order. The input of a field has the id `request-<field>`. */
  fields: readonly Field[]
  /** `done`: shown in place of the form, unless the answer has a message. `failed`: no answer, or one without a message. */
  texts: Record<'title' | 'intro' | 'send' | 'done' | 'failed', string>
  onClose: () => void
  /** The inputs, with the errors of the last answer. */
  children: (error: (field: Field) => string | undefined) => ReactNode
}

const FORM = 'request-form'

/** A short form in a dialog, by which a shopper asks the shop for something. */
export function RequestDialog<Field extends string>({ path, body, fields, texts, onClose, children }: RequestDialogProps<Field>) {
  const { t } = useI18n()
  const [errors, setErrors] = useState<Partial<Record<string, string[]>>>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    const answer = await call<{ message?: string; errors?: Partial<Record<string, string[]>> } | null>(path, { method: 'POST', body })
    setBusy(false)
    if (answer.ok) return setDone(answer.body?.message ?? texts.done)
    const found = answer.body?.errors ?? {}
    const first = fields.find((field) => found[field])
    setErrors(found)
    setProblem(first ? null : (answer.body?.message ?? texts.failed))
    if (first) document.getElementById(`request-${first}`)?.focus()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.title}
      closeLabel={t('shell.close')}
      actions={
        done === null ? (
          <Button type="submit" form={FORM} busy={busy}>
            {texts.send}
          </Button>
        ) : (
          <Button onClick={onClose}>{t('shell.close')}</Button>
        )
      }
    >
      {done === null ? (
        <form id={FORM} noValidate onSubmit={submit} className="space-y-4">
          <p>{texts.intro}</p>
          {children((field) => errors[field]?.[0])}
          {problem === null ? null : (
            <p role="alert" className="font-semibold text-terracotta">
              {problem}
            </p>
          )}
        </form>
      ) : (
        <p role="status">{done}</p>
      )}
    </Dialog>
  )
}
