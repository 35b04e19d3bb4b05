import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import { MAX_PIN_LENGTH } from '#features/auth/lock-rules.ts'
import { call } from '#page/api-client.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { handOverSale } from '../../pos/hand-over.ts'

interface CashierChoice {
  id: number
  name: string
}

interface SwitchAnswer {
  message?: string
  errors?: Record<string, string[]>
}

/** Switches this device to another cashier by PIN. The page opens again as that cashier, with the sale that is on the screen. */
export function SwitchForm() {
  const { t } = useI18n()
  const { user } = usePageContext()
  const [choices, setChoices] = useState<CashierChoice[] | null>(null)
  const [chosen, setChosen] = useState<number | null>(null)
  const [answer, setAnswer] = useState<SwitchAnswer>({})
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    void call<{ cashiers?: CashierChoice[]; message?: string }>('/account/cashiers', { cache: 'no-store' }).then((result) => {
      const found = result.body?.cashiers ?? []
      if (!result.ok) setAnswer({ message: result.body?.message ?? t('lock.switch-offline') })
      else setChoices(found)
      if (found.length === 1) setChosen(found[0]!.id)
    })
    // oxlint-disable-next-line react/exhaustive-deps -- once
  }, [])
  const focus = (name: 'pin' | 'user_id') => form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus()
  // The arrow keys go through the cashiers; a press leads on to the PIN.
  useEffect(() => focus(choices?.length === 1 ? 'pin' : 'user_id'), [choices])
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    if (chosen === null) return setAnswer({ errors: { user_id: [t('lock.switch-unknown')] } })
    setBusy(true)
    const result = await call<SwitchAnswer | null>('/account/switch', {
      method: 'POST',
      body: { user_id: chosen, pin: new FormData(event.currentTarget).get('pin') },
    })
    if (result.ok) {
      await handOverSale(user?.id ?? 0, chosen)
      return location.reload()
    }
    setBusy(false)
    if (result.status === 401) return location.assign(`/login?next=${encodeURIComponent(location.pathname)}`)
    setAnswer(result.body ?? { message: t('lock.switch-offline') })
    form.current?.querySelector<HTMLInputElement>('[name=pin]')?.select()
  }
  const { errors = {}, message } = answer
  const problem = errors.user_id?.[0] ?? (errors.pin ? null : message)
  return (
    <form ref={form} noValidate onSubmit={submit} className="space-y-4">
      {problem ? (
        <p role="alert" className="rounded-card bg-terracotta-100 px-3.5 py-2.5 font-semibold text-terracotta">
          {problem}
        </p>
      ) : null}
      {choices?.length === 0 ? <p className="text-stone">{t('lock.switch-none')}</p> : null}
      {choices && choices.length > 0 ? (
        <>
          <fieldset>
            <legend className="mb-1 font-semibold">{t('lock.switch-to')}</legend>
            <div className="grid grid-cols-2 gap-2">
              {choices.map(({ id, name }) => (
                <label
                  key={id}
                  className="flex min-h-12 cursor-pointer items-center gap-2 rounded-card border border-stone/80 bg-white px-3 py-2 leading-snug has-checked:border-leaf-600 has-checked:bg-leaf-100 has-checked:font-semibold"
                >
                  <input
                    type="radio"
                    name="user_id"
                    value={id}
                    checked={id === chosen}
                    className="size-5 shrink-0 accent-leaf-600"
                    onChange={() => {
                      setChosen(id)
                      setAnswer({})
                    }}
                    onClick={({ detail }) => detail > 0 && focus('pin')}
                  />
                  <span className="min-w-0 break-words">{name}</span>
                </label>
              ))}
            </div>
          </fieldset>
          <TextField
            type="password"
            name="pin"
            label={t('lock.pin')}
            error={errors.pin?.[0]}
            inputMode="numeric"
            autoComplete="off"
            maxLength={MAX_PIN_LENGTH}
            className="tabular-nums"
            required
          />
          <p className="text-sm text-stone">{t('lock.switch-keeps')}</p>
          <Button type="submit" size="large" full busy={isBusy}>
            {t('lock.switch-do')}
          </Button>
        </>
      ) : null}
      <ButtonLink kind="quiet" size="small" href={`/login?next=${encodeURIComponent('/admin/quick-orders')}`}>
        {t('lock.switch-password')}
      </ButtonLink>
    </form>
  )
}
