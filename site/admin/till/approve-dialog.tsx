import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { TextField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import type { Exceptions } from '#features/pos/approval-rules.ts'
import { TOAST_TIME } from '#features/pos/rules.ts'
import { formatTaka, takaToPoisha } from '#lib/money.ts'
import { useI18n } from '#site/app-root.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { firstField } from './first-field.ts'
import type { Sale } from './sale.ts'

/** What a supervisor must approve, as the shop's refusal says it; money in taka. */
export interface Needed {
  discount: number
  prices: { id: number; price: number }[]
  held: number[]
}

interface ApproveDialogProps {
  sale: Sale
  needed: Needed
  onApproved: (what: Exceptions) => void
  onClose: () => void
}

/** A supervisor types phone and code at the cashier's screen. */
export function ApproveDialog({ sale, needed, onApproved, onClose }: ApproveDialogProps) {
  const { t, lang } = useI18n()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const nameOf = (id: number) => sale.lines.find((line) => line.id === id)?.name ?? String(id)
  const taka = (amount: number) => formatTaka(takaToPoisha(amount), lang)
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const typed = Object.fromEntries(new FormData(form)) as { phone: string; code: string }
    setBusy(true)
    const answer = await adminPost<{ approved_by: string }>('/admin/quick-orders/approve', { ...needed, ...typed, sale_key: sale.key })
    setBusy(false)
    if (answer.ok) {
      showToast(t('pos.approval.done', { name: answer.body.approved_by }), { milliseconds: TOAST_TIME })
      const prices = needed.prices.map(({ id, price }) => ({ id, price: takaToPoisha(price) }))
      return onApproved({ discount: takaToPoisha(needed.discount), prices, held: needed.held })
    }
    setError(answer.errors.code?.[0] ?? answer.message ?? t('pos.approval.offline'))
    const code = form.elements.namedItem('code') as HTMLInputElement
    code.value = ''
    code.focus()
  }
  return (
    <Dialog open onClose={onClose} title={t('pos.approval.title')} closeLabel={t('office.close')}>
      <ul className="mt-2 list-disc space-y-1 ps-5">
        {needed.discount > 0 ? <li>{t('pos.approval.of-discount', { amount: taka(needed.discount) })}</li> : null}
        {needed.prices.map(({ id, price }) => (
          <li key={id}>{t('pos.approval.of-price', { name: nameOf(id), amount: taka(price) })}</li>
        ))}
        {needed.held.map((id) => (
          <li key={id}>{t('pos.approval.of-held', { name: nameOf(id) })}</li>
        ))}
      </ul>
      <form ref={firstField} onSubmit={submit} className="mt-4 space-y-4" autoComplete="off">
        <TextField name="phone" label={t('pos.approval.phone')} type="tel" inputMode="tel" autoComplete="off" maxLength={20} required />
        <TextField
          name="code"
          label={t('pos.approval.code')}
          type="password"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          required
          error={error}
          className="figures text-center text-xl tracking-[0.3em]"
        />
        <Button type="submit" size="large" full busy={busy}>
          {t('pos.approval.do')}
        </Button>
      </form>
    </Dialog>
  )
}
