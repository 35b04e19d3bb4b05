import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { showToast } from '#components/toast.tsx'
import type { SmsJson } from '#features/messaging/types.ts'
import { SmsComposer } from '#features/messaging/ui/sms-composer.tsx'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost, failureText } from './admin-post.ts'
import { MessageIcon } from './icons.tsx'
import { usePermissions } from './use-permissions.ts'
import { usePreservedState } from './use-preserved-state.ts'

interface Beginning {
  key: string
  text: string
}

interface SendSmsProps {
  phone: string
  /** The route that sends it. */
  url: string
  /** The order that fills in the templates; null for none. */
  orderId: number | null
  size?: 'small'
  onSent?(sms: SmsJson): void
}

/** The button that writes to the customer of an order, or to any customer, and its dialog; nothing without a phone or the permission. */
export function SendSms(props: SendSmsProps) {
  const { can } = usePermissions()
  return can('sms.send') && props.phone !== '' ? <SendSmsButton {...props} /> : null
}

function SendSmsButton({ phone, url, orderId, size, onSent }: SendSmsProps) {
  const { t } = useI18n()
  const [texts, setTexts] = useState<Beginning[] | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [message, setMessage, reset] = usePreservedState(`sms-${url}`, '')
  async function open() {
    if (orderId === null) return setTexts([])
    const answer = await call<{ texts: Beginning[] }>(`/api/admin/orders/${orderId}/sms-texts`)
    // Without texts to begin from, one's own words still do.
    setTexts(answer.ok ? answer.body.texts : [])
  }
  async function send(text: string) {
    setBusy(true)
    const written = await adminPost<{ message: string; sms?: SmsJson }>(url, { message: text })
    setBusy(false)
    if (!written.ok) return setError(written.errors.message?.[0] ?? failureText(written, t))
    reset()
    setError(null)
    setTexts(null)
    showToast(written.body.message)
    if (written.body.sms) onSent?.(written.body.sms)
  }
  const close = () => setTexts(null)
  return (
    <>
      <Button kind="secondary" {...(size ? { size } : {})} onClick={open}>
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
