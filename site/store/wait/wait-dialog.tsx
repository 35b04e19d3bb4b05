import '#messages/wait.ts'
import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { TextField } from '#components/field.tsx'
import { MAX_TYPED_PHONE_LENGTH } from '#lib/format/input-limits.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'

const FORM = 'product-wait'

/** Asks for the phone that gets the SMS. */
export function WaitDialog({ productId, onClose }: { productId: number; onClose: () => void }) {
  const { t } = useI18n()
  const [phone, setPhone] = useState('')
  const [error, setError] = useState<string | undefined>()
  const [problem, setProblem] = useState<string | null>(null)
  const [sent, setSent] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    const answer = await call<{ message?: string; errors?: { phone?: string[] } } | null>('/api/product-waits', {
      method: 'POST',
      body: { product_id: productId, phone },
    })
    setBusy(false)
    if (answer.ok) return setSent(answer.body?.message ?? t('wait.sent'))
    const wrong = answer.body?.errors?.phone?.[0]
    setError(wrong)
    setProblem(wrong ? null : (answer.body?.message ?? t('wait.no-response')))
    if (wrong) document.getElementById('wait-phone')?.focus()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('wait.title')}
      closeLabel={t('shell.close')}
      actions={
        sent === null ? (
          <Button type="submit" form={FORM} busy={busy}>
            {t('wait.send')}
          </Button>
        ) : (
          <Button onClick={onClose}>{t('shell.close')}</Button>
        )
      }
    >
      {sent === null ? (
        <form id={FORM} noValidate onSubmit={submit} className="space-y-4">
          <p>{t('wait.text')}</p>
          <TextField
            id="wait-phone"
            name="phone"
            label={t('details.phone')}
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            required
            maxLength={MAX_TYPED_PHONE_LENGTH}
            value={phone}
            error={error}
            onChange={(event) => setPhone(event.target.value)}
          />
          {problem === null ? null : (
            <p role="alert" className="font-semibold text-terracotta">
              {problem}
            </p>
          )}
        </form>
      ) : (
        <p role="status">{sent}</p>
      )}
    </Dialog>
  )
}
