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

/** The outcome of a message. Gone: the device does not exist any more. `isRefusal`: the service does not take it, rather than not now. */
export type PushOutcome =
  | { state: 'sent' }
  | { state: 'gone' }
  | { state: 'later'; code: string; isRefusal: boolean; retryAfterSeconds: number }

/** Timeout, too early, too many: the service asks for another attempt. */
const NOT_NOW = new Set([408, 425, 429])

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
    const { status } = response
    if (status === 404 || status === 410) return { state: 'gone' }
    const isRefusal = status < 500 && !NOT_NOW.has(status)
    return { ...later(`http-${status}`), isRefusal, retryAfterSeconds: retryAfterSeconds(response.headers.get('retry-after'), new Date()) }
  } catch (error) {
    return later(error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'no-connection')
  }
}

function later(code: string) {
  return { state: 'later', code, isRefusal: false, retryAfterSeconds: 0 } as const
}
