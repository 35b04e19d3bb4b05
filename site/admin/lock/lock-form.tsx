import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import { call } from '#page/api-client.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { clearDevice } from './clear-device.ts'
import { failureText } from '../ui/admin-post.ts'
import { MAX_PIN_LENGTH } from '#features/auth/lock-rules.ts'
import { MAX_TYPED_PASSWORD_LENGTH } from '#lib/format/input-limits.ts'

interface LockFormProps {
  name: string
  /** False: the password is required, and a PIN can be set. */
  hasPin: boolean
  next: string
  errors?: Record<string, string>
  problem?: string | null
  /** Null on the page of its own, which is left by the form. */
  onUnlocked: (() => void) | null
}

interface ErrorResponse {
  message?: string
  errors?: Record<string, string[]>
}

/** Unlocks the session by PIN, or by password with a new PIN. The form works without script, too. */
export function LockForm({ name, hasPin, next, errors: first = {}, problem: firstProblem = null, onUnlocked }: LockFormProps) {
  const { t } = useI18n()
  const { csrfToken } = usePageContext()
  const [byPassword, setByPassword] = useState(!hasPin)
  const [errors, setErrors] = useState(first)
  const [problem, setProblem] = useState(firstProblem)
  const [isBusy, setBusy] = useState(false)
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => card.current?.querySelector<HTMLInputElement>('input:not([type=hidden])')?.focus(), [byPassword])
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const form = event.currentTarget
    const body = Object.fromEntries([...new FormData(form)].filter(([key]) => key !== '_token'))
    setBusy(true)
    const answer = await call<ErrorResponse | null>('/unlock', { method: 'POST', body })
    setBusy(false)
    if (answer.ok) return onUnlocked ? onUnlocked() : location.assign(next)
    if (answer.status === 401) return location.assign(`/login?next=${encodeURIComponent(next)}`)
    const fieldErrors = Object.fromEntries(Object.entries(answer.body?.errors ?? {}).map(([field, [text = '']]) => [field, text]))
    setErrors(fieldErrors)
    setProblem(Object.keys(fieldErrors).length > 0 ? null : failureText(answer.body, t))
    // The server knows of no PIN: it is set now.
    if (fieldErrors.new_pin && !byPassword) setByPassword(true)
    const [wrong] = Object.keys(fieldErrors)
    form.querySelector<HTMLInputElement>(wrong ? `[name=${CSS.escape(wrong)}]` : 'input:not([type=hidden])')?.select()
  }
  const pinField = {
    inputMode: 'numeric',
    autoComplete: 'off',
    maxLength: MAX_PIN_LENGTH,
    className: 'tabular-nums',
    required: true,
  } as const
  return (
    <div ref={card} className="space-y-4">
      <p>{t('lock.for', { name })}</p>
      <p className="text-stone">{t(byPassword ? 'lock.set' : 'lock.locked')}</p>
      {problem ? (
        <p role="alert" className="rounded-card bg-terracotta-100 px-3.5 py-2.5 font-semibold text-terracotta">
          {problem}
        </p>
      ) : null}
      <form method="post" action="/unlock" noValidate onSubmit={submit} className="space-y-4">
        <input type="hidden" name="_token" value={csrfToken} />
        <input type="hidden" name="next" value={next} />
        {byPassword ? (
          <>
            <TextField
              type="password"
              name="password"
              label={t('lock.password')}
              error={errors.password}
              autoComplete="current-password"
              maxLength={MAX_TYPED_PASSWORD_LENGTH}
              required
            />
            <TextField type="password" name="new_pin" label={t('lock.new-pin')} error={errors.new_pin} {...pinField} />
          </>
        ) : (
          <TextField type="password" name="pin" label={t('lock.pin')} error={errors.pin} {...pinField} />
        )}
        <Button type="submit" size="large" full busy={isBusy}>
          {t('lock.unlock')}
        </Button>
      </form>
      <div className="flex flex-wrap justify-between gap-2">
        {byPassword ? (
          <span />
        ) : (
          <Button size="small" kind="quiet" onClick={() => setByPassword(true)}>
            {t('lock.forgot')}
          </Button>
        )}
        <form method="post" action="/logout" onSubmit={clearDevice}>
          <input type="hidden" name="_token" value={csrfToken} />
          <Button type="submit" size="small" kind="quiet">
            {t('lock.logout')}
          </Button>
        </form>
      </div>
    </div>
  )
}
