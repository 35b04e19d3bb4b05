import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { SelectField, TextField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import type { OwnOrder } from '#features/orders/history/own-orders.server.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { TEXT_LIMIT } from '#lib/format/text.ts'
import { GATEWAY_WAIT_MS } from '#features/payments/gateway.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'

const REASONS = ['mind', 'mistake', 'date', 'elsewhere', 'other'] as const
const FORM = 'cancel-form'

interface Answer {
  message?: string
  errors?: Record<string, string[]>
  order?: OwnOrder
}

/** Asks for the reason and cancels an order. */
export function CancelDialog({
  order,
  onClose,
  onCancelled,
}: {
  order: OwnOrder | null
  onClose: () => void
  onCancelled: (order: OwnOrder) => void
}) {
  const { t, lang } = useI18n()
  const [why, setWhy] = useState('')
  const [words, setWords] = useState('')
  const [state, setState] = useState<{ busy: boolean; problem: string | null; missing: boolean }>({
    busy: false,
    problem: null,
    missing: false,
  })
  // The typed reason stays until another order is opened.
  const about = useRef<number>(undefined)
  const openId = useRef<number>(undefined)
  openId.current = order?.id
  useEffect(() => {
    if (!order || order.id === about.current) return
    about.current = order.id
    setWhy('')
    setWords('')
    setState({ busy: false, problem: null, missing: false })
  }, [order])
  const chosen = REASONS.find((one) => one === why)
  const reason = chosen === undefined ? '' : chosen === 'other' ? words.trim() : t(`account.cancel-why.${chosen}`)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!order || state.busy) return
    if (reason === '') return setState({ busy: false, problem: null, missing: true })
    setState({ busy: true, problem: null, missing: false })
    const answer = await call<Answer | null>(`/orders/${order.id}/cancel`, { method: 'POST', body: { reason }, timeoutMs: GATEWAY_WAIT_MS })
    if (!answer.body?.order) {
      const text = answer.body?.errors?.reason?.[0] ?? answer.body?.message ?? t('account.cancel-failed')
      if (about.current === order.id) setState({ busy: false, problem: text, missing: false })
      // The dialog was closed meanwhile, or asks about another order.
      if (openId.current !== order.id) showToast(text, { kind: 'error' })
      return
    }
    showToast(answer.body.message ?? t('account.cancelled'))
    onCancelled(answer.body.order)
  }
  const missing = state.missing ? t('account.reason-required') : undefined
  return (
    <Dialog
      open={order !== null}
      onClose={onClose}
      title={t('account.cancel-title', { id: localizeDigits(lang, String(order?.id ?? '')) })}
      closeLabel={t('shell.close')}
      actions={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('account.cancel-keep')}
          </Button>
          <Button type="submit" form={FORM} kind="danger" busy={state.busy}>
            {t(state.busy ? 'account.cancelling' : 'account.cancel-now')}
          </Button>
        </>
      }
    >
      <form id={FORM} noValidate onSubmit={submit} className="space-y-4">
        <p>{t('account.cancel-text')}</p>
        <SelectField
          label={t('account.cancel-why')}
          value={why}
          error={chosen ? undefined : missing}
          required
          onChange={(event) => setWhy(event.target.value)}
        >
          <option value="">{t('account.cancel-choose')}</option>
          {REASONS.map((one) => (
            <option key={one} value={one}>
              {t(`account.cancel-why.${one}`)}
            </option>
          ))}
        </SelectField>
        {chosen === 'other' ? (
          <TextField
            label={t('account.cancel-other')}
            value={words}
            error={missing}
            maxLength={TEXT_LIMIT}
            required
            onChange={(event) => setWords(event.target.value)}
          />
        ) : null}
        {state.problem ? (
          <p role="alert" className="rounded-card bg-terracotta-100 px-3 py-2 font-semibold text-terracotta">
            {state.problem}
          </p>
        ) : null}
      </form>
    </Dialog>
  )
}
