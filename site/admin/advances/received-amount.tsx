import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { TakaField } from '#components/taka-field.tsx'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { usePreservedState } from '../ui/use-preserved-state.ts'

/** The amount that has come, as typed; `confirmed`: also where it is more than the amount due. */
export interface Received {
  amount: string
  confirmed: boolean
}

export interface Verification {
  /** Verified now, or decided by another person meanwhile. */
  isDecided: boolean
  /** The error of the typed amount. */
  error?: string | undefined
}

interface ReceivedAmountProps {
  reportId: number
  orderId: number
  /** The amount that the customer has stated, in taka. */
  stated: number
  isBusy: boolean
  verify: (received: Received) => Promise<Verification>
  close: () => void
}

/** Verifies an advance of another amount than the customer has stated. */
export function ReceivedAmount({ reportId, orderId, stated, isBusy, verify, close }: ReceivedAmountProps) {
  const { t, lang } = useI18n()
  const [amount, setAmount, reset] = usePreservedState(`received-${reportId}`, '')
  const [refused, setRefused] = useState<{ amount: string; error: string } | null>(null)
  const error = refused?.amount === amount ? refused.error : undefined
  async function save(event: FormEvent) {
    event.preventDefault()
    // A second press of the same amount confirms it.
    const verified = await verify({ amount, confirmed: error !== undefined })
    if (verified.error !== undefined) setRefused({ amount, error: verified.error })
    if (!verified.isDecided) return
    reset()
    close()
  }
  return (
    <Dialog
      open
      onClose={close}
      closeLabel={t('admin.close')}
      title={t('advances.received-title', { id: localizeDigits(lang, String(orderId)) })}
    >
      <form noValidate onSubmit={save} className="space-y-4">
        <TakaField
          label={t('admin-orders.amount')}
          hint={t('advances.stated', { amount: money(stated, lang) })}
          error={error}
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
        />
        <div className="flex flex-wrap justify-end gap-2 max-sm:flex-col-reverse">
          <Button kind="secondary" onClick={close}>
            {t('admin.cancel')}
          </Button>
          <Button type="submit" busy={isBusy}>
            {t('advances.verify')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
