import { type FormEvent, useId, useState } from 'react'
import { Button } from '#components/button.tsx'
import { SelectField, TextArea } from '#components/field.tsx'
import { writtenMessage } from '#features/messaging/message-rules.ts'
import { MAX_SMS_PARTS, smsSize } from '#features/settings/sms/text-rules.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'

interface SmsComposerProps {
  /** The receiver, `01XXXXXXXXX`. */
  phone: string
  /** Filled-in templates (`/api/admin/orders/:id/sms-texts`). */
  texts: readonly { key: string; text: string }[]
  /** True while it is being sent. */
  busy?: boolean
  /** The error of the server. */
  error?: string | null
  message: string
  onChange(message: string): void
  onSend(message: string): void
  onCancel?: () => void
}

/** A form for one message: template, text and number of parts. */
export function SmsComposer({ phone, texts, busy = false, error, message, onChange, onSend, onCancel }: SmsComposerProps) {
  const { t, lang } = useI18n()
  const [begun, setBegun] = useState('')
  const [isTried, setIsTried] = useState(false)
  const counterId = useId()
  const written = writtenMessage(message)
  const own = written.ok || (written.reason === 'empty' && !isTried) ? null : t(`sms.written.${written.reason}`)

  function begin(key: string) {
    setBegun(key)
    onChange(texts.find((one) => one.key === key)?.text ?? '')
  }
  function send(event: FormEvent) {
    event.preventDefault()
    setIsTried(true)
    if (written.ok && !busy) onSend(written.text)
  }
  return (
    <form noValidate className="space-y-3" onSubmit={send}>
      <p className="tabular-nums font-semibold">{t('sms.compose.to', { phone: localizeDigits(lang, phone) })}</p>
      {texts.length === 0 ? null : (
        <SelectField label={t('sms.compose.begin')} value={begun} onChange={(event) => begin(event.target.value)}>
          <option value="">{t('sms.compose.own')}</option>
          {texts.map(({ key }) => (
            <option key={key} value={key}>
              {t(`sms.template.${key}` as 'sms.template.code' & MessageKey)}
            </option>
          ))}
        </SelectField>
      )}
      <div>
        <TextArea
          label={t('sms.compose.message')}
          name="message"
          rows={5}
          required
          lang={/[ঀ-৿]/.test(message) ? 'bn' : undefined}
          value={message}
          error={own ?? error ?? undefined}
          onChange={(event) => onChange(event.target.value)}
        />
        <Counter id={counterId} text={written.ok ? written.text : message} />
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        {onCancel ? (
          <Button kind="secondary" onClick={onCancel}>
            {t('sms.compose.cancel')}
          </Button>
        ) : null}
        <Button type="submit" busy={busy}>
          {t('sms.compose.send')}
        </Button>
      </div>
    </form>
  )
}

/** The number of parts. It shows that one Bengali letter can double it. */
function Counter({ id, text }: { id: string; text: string }) {
  const { t } = useI18n()
  const { units, parts, encoding } = smsSize(text)
  const alphabet = t(encoding === 'GSM-7' ? 'sms.compose.plain' : 'sms.compose.bengali')
  return (
    <p
      id={id}
      aria-live="polite"
      className={`tabular-nums mt-1 text-sm ${parts > MAX_SMS_PARTS ? 'font-semibold text-terracotta' : 'text-stone'}`}
    >
      {t('sms.compose.size', { units, parts, alphabet })}
    </p>
  )
}
