import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { showToast } from '#components/toast.tsx'
import { SmsComposer } from '#features/messaging/ui/sms-composer.tsx'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { MessageIcon } from '../ui/icons.tsx'
import { usePreservedState } from '../ui/use-preserved-state.ts'

interface Beginning {
  key: string
  text: string
}

/** The button that writes to the customer of an order, and its dialog. */
export function SendSms({ orderId, phone }: { orderId: number; phone: string }) {
  const { t } = useI18n()
  const [texts, setTexts] = useState<Beginning[] | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [message, setMessage, reset] = usePreservedState(`sms-${orderId}`, '')
  async function open() {
    const answer = await call<{ texts: Beginning[] }>(`/api/admin/orders/${orderId}/sms-texts`)
    // Without texts to begin from, one's own words still do.
    setTexts(answer.ok ? answer.body.texts : [])
  }
  async function send(text: string) {
    setBusy(true)
    const written = await adminPost<{ message: string }>(`/admin/orders/send_sms/${orderId}`, { message: text })
    setBusy(false)
    if (!written.ok) return setError(written.errors.message?.[0] ?? written.message ?? t('admin.no-answer'))
    reset()
    setError(null)
    setTexts(null)
    showToast(written.body.message)
  }
  const close = () => setTexts(null)
  return (
    <>
      <Button kind="secondary" size="small" onClick={open}>
        <MessageIcon size={17} />
        {t('admin-orders.send-sms')}
      </Button>
      <Dialog open={texts !== null} onClose={close} closeLabel={t('admin.close')} title={t('admin-orders.send-sms')}>
        {texts ? (
          <SmsComposer
            {...{ phone, texts, error, message }}
            busy={isBusy}
            onChange={setMessage}
            onSend={(text) => void send(text)}
            onCancel={close}
          />
        ) : null}
      </Dialog>
    </>
  )
}
