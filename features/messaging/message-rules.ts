// Rules of a message written by hand. The text is sanitized; one that is too long is rejected, because its author can shorten it.
import { sanitizeText, isStorable } from '#lib/format/text.ts'
import { MAX_SMS_PARTS, smsSize } from '#features/settings/sms/text-rules.ts'

export type MessageError = 'empty' | 'too-long' | 'unreadable'

/** The message as it will be sent, or why it is not. */
export function writtenMessage(raw: string): { ok: true; text: string } | { ok: false; reason: MessageError } {
  if (!isStorable(raw)) return { ok: false, reason: 'unreadable' }
  const text = sanitizeText(raw.replace(/\r\n?/g, '\n'))
  if (text === '') return { ok: false, reason: 'empty' }
  return smsSize(text).parts > MAX_SMS_PARTS ? { ok: false, reason: 'too-long' } : { ok: true, text }
}
