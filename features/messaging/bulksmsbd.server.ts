import { sendHttpRequest, type HttpLog } from '#lib/http/http-client.server.ts'
import { phoneForGateway } from '#lib/format/phone.ts'
import { balanceOf, sendOutcome } from './provider-response-rules.ts'
import { SMS_CALL_MS, type SmsGateway } from './gateway.ts'

export type BulkSmsBdOptions = {
  apiKey: string
  /** The name or number that messages come from, as approved for the account. */
  senderId: string
  /** Without a slash at the end. */
  baseUrl: string
  log: HttpLog
  timeoutMs?: number
}

/** BulkSMSBD. Always POST, so that no URL log contains the key or the text. */
export function bulkSmsBd({ apiKey, senderId, baseUrl, log, timeoutMs = SMS_CALL_MS }: BulkSmsBdOptions): SmsGateway {
  const post = (call: string, path: string, fields: Record<string, string>, signal?: AbortSignal) =>
    sendHttpRequest({
      call,
      url: baseUrl + path,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({ api_key: apiKey, ...fields }).toString(),
      timeoutMs,
      log,
      ...(signal ? { signal } : {}),
    })
  return {
    async send({ phone, text }, signal) {
      const fields = { type: 'text', number: phoneForGateway(phone), senderid: senderId, message: text }
      return sendOutcome(await post('sms-send', '/api/smsapi', fields, signal))
    },
    balance: async () => balanceOf(await post('sms-balance', '/api/getBalanceApi', {})),
  }
}
