import { z } from 'zod'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { type DeviceKeys, encryptPush, type ShopKeys, vapidHeader } from './encrypt-push.server.ts'
import { type PushPayload, retryAfterSeconds } from './push-rules.ts'

const TIMEOUT_MS = 5000

/** How the server reaches push services. */
export interface PushOptions {
  /** The origin of a simulator, the only address beside those of the known push services. */
  simulator: string | null
  timeoutMs: number
}

/** The outcome of a message. Gone: the device does not exist any more. */
export type PushOutcome = { state: 'sent' } | { state: 'gone' } | { state: 'later'; code: string; retryAfterSeconds: number }

const simulatorUrl = z
  .string()
  .refine((text) => /^http:\/\/127\.0\.0\.1:\d+$/.test(text), { error: 'PUSH_SIMULATOR_URL must be like http://127.0.0.1:4000.' })
  .optional()

/** Reads PUSH_SIMULATOR_URL, which tests set. A wrong one throws a SettingsError. */
export function configurePush(source: Record<string, string | undefined> = process.env): PushOptions {
  const parsed = simulatorUrl.safeParse(source.PUSH_SIMULATOR_URL?.trim() || undefined)
  if (!parsed.success) throw new SettingsError(parsed.error.issues.map(({ message }) => message).join(' '))
  return { simulator: parsed.data ?? null, timeoutMs: TIMEOUT_MS }
}

interface Push extends DeviceKeys {
  endpoint: string
  payload: PushPayload
  ttlSeconds: number
}

interface Sender extends PushOptions {
  keys: ShopKeys
  /** An https or mailto address of the shop. */
  contact: string
}

/** Sends one message (RFC 8030), with one timeout and without redirects. Never throws. The answer's body is not read. */
export async function sendPush(push: Push, { keys, contact, timeoutMs }: Sender): Promise<PushOutcome> {
  try {
    const response = await fetch(push.endpoint, {
      method: 'POST',
      headers: {
        authorization: vapidHeader(keys, push.endpoint, contact, new Date()),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(push.ttlSeconds),
        urgency: 'high',
      },
      body: new Uint8Array(encryptPush(JSON.stringify(push.payload), push)),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    if (response.ok) return { state: 'sent' }
    if (response.status === 404 || response.status === 410) return { state: 'gone' }
    return later(`http-${response.status}`, retryAfterSeconds(response.headers.get('retry-after'), new Date()))
  } catch (error) {
    return later(error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'no-connection')
  }
}

function later(code: string, seconds = 0): PushOutcome {
  return { state: 'later', code, retryAfterSeconds: seconds }
}
