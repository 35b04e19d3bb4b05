import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { showToast } from '#components/toast.tsx'
import type { OrderRow } from '#features/orders/history/order-list.server.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { formatTime } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { MessageIcon } from '../ui/icons.tsx'

/** Asks, sends the reminders and shows the result. Resolves to their number; null when they were not sent. */
function useReminders() {
  const { t, lang } = useI18n()
  const { ask, dialog } = useConfirm()
  const [isBusy, setBusy] = useState(false)
  const number = (count: number) => formatNumber(count, lang)
  async function remind(count: number, orders?: number[]): Promise<number | null> {
    const question = {
      title: t('sms.tomorrow.ask', { count: number(count) }),
      text: t('sms.tomorrow.ask-text'),
      action: t('sms.tomorrow.send'),
      kind: 'primary',
    } as const
    if (!(await ask(question))) return null
    setBusy(true)
    const written = await adminPost<{ sent: number; already: number }>('/admin/orders/remind-tomorrow', orders ? { orders } : {})
    setBusy(false)
    if (!written.ok) {
      showFailure(written, t)
      return null
    }
    const { sent, already } = written.body
    const others = orders ? orders.length - sent - already : 0
    const words = [
      t('sms.tomorrow.sent', { count: number(sent) }),
      already > 0 ? t('sms.tomorrow.already', { count: number(already) }) : '',
      others > 0 ? t('sms.tomorrow.others', { count: number(others) }) : '',
    ]
    showToast(words.filter(Boolean).join(' '))
    return sent
  }
  return { remind, isBusy, dialog }
}

/** For the orders that are picked in the list. */
export function SendPickedReminders({ picked, clear }: { picked: OrderRow[]; clear: () => void }) {
  const { t } = useI18n()
  const { remind, isBusy, dialog } = useReminders()
  const press = async () => {
    const ids = picked.map(({ id }) => id)
    if ((await remind(ids.length, ids)) !== null) clear()
  }
  return (
    <>
      <Button size="small" kind="tag" busy={isBusy} onClick={press}>
        <MessageIcon size={17} />
        {t('sms.tomorrow')}
      </Button>
      {/* The bar is dark; the dialog is not. */}
      <div className="text-ink">{dialog}</div>
    </>
  )
}

/** For all customers without a reminder. */
export function DeliveryReminders({ notReminded, automatic, hour }: { notReminded: number; automatic: boolean; hour: number }) {
  const { t, lang } = useI18n()
  const { sendsSms } = usePageContext()
  const { remind, isBusy, dialog } = useReminders()
  const [left, setLeft] = useState(notReminded)
  if (left === 0) return null
  const press = async () => {
    const sent = await remind(left)
    if (sent !== null) setLeft((now) => (sent === 0 ? 0 : Math.max(0, now - sent)))
  }
  return (
    <section className="admin-card stitch mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 p-4">
      <div className="min-w-0 grow basis-72">
        <p className="font-semibold">{t('today.not-reminded', { count: formatNumber(left, lang) })}</p>
        <p className="text-sm text-stone">
          {!sendsSms
            ? t('today.not-reminded-no-sms')
            : automatic
              ? t('today.not-reminded-automatic', { time: formatTime(`${hour}:00`, lang) })
              : t('today.not-reminded-off')}
        </p>
      </div>
      {sendsSms ? (
        <Button kind="secondary" busy={isBusy} onClick={press}>
          <MessageIcon size={18} />
          {t('sms.tomorrow.send')}
        </Button>
      ) : null}
      {dialog}
    </section>
  )
}
