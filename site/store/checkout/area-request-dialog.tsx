import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { TextField } from '#components/field.tsx'
import { TEXT_LIMIT } from '#lib/format/text.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'

const FORM = 'area-request'
const FIELDS = ['name', 'phone', 'place'] as const

/** Leaves name, phone and place for staff, for shoppers whose area is not listed. */
export function AreaRequestDialog({ name, phone, onClose }: { name: string; phone: string; onClose: () => void }) {
  const { t } = useI18n()
  const [typed, setTyped] = useState({ name, phone, place: '' })
  const [errors, setErrors] = useState<Record<string, string[] | undefined>>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [sent, setSent] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    const answer = await call<{ message?: string; errors?: Record<string, string[]> } | null>('/api/area-requests', {
      method: 'POST',
      body: typed,
    })
    setBusy(false)
    if (answer.noResponse) return setProblem(t('place.no-response'))
    setErrors(answer.body?.errors ?? {})
    if (answer.ok) return setSent(answer.body?.message ?? t('area-request.sent'))
    const wrong = FIELDS.find((field) => answer.body?.errors?.[field])
    setProblem(wrong ? null : (answer.body?.message ?? t('place.unexpected')))
    if (wrong) document.getElementById(`request-${wrong}`)?.focus()
  }
  const field = (key: (typeof FIELDS)[number]) => ({
    id: `request-${key}`,
    name: key,
    value: typed[key],
    error: errors[key]?.[0],
    maxLength: TEXT_LIMIT,
    required: true,
    onChange: (event: { target: { value: string } }) => setTyped((before) => ({ ...before, [key]: event.target.value })),
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('area-request.title')}
      closeLabel={t('shell.close')}
      actions={
        sent === null ? (
          <Button type="submit" form={FORM} busy={busy}>
            {t('area-request.send')}
          </Button>
        ) : (
          <Button onClick={onClose}>{t('place.ok')}</Button>
        )
      }
    >
      {sent === null ? (
        <form id={FORM} noValidate onSubmit={submit} className="space-y-4">
          <p>{t('area-request.text')}</p>
          <TextField {...field('name')} label={t('details.name')} autoComplete="name" />
          <TextField {...field('phone')} label={t('details.phone')} type="tel" inputMode="tel" autoComplete="tel" />
          <TextField {...field('place')} label={t('area-request.place')} hint={t('area-request.place-hint')} autoComplete="off" />
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
