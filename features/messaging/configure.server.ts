import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { internalUrl, type Env } from '#lib/runtime/env.server.ts'
import { parseSettings, type SettingsSource } from '#lib/runtime/parse-settings.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import type { HttpLog } from '#lib/http/http-client.server.ts'
import { isSafeUrl } from '#lib/http/safe-url.ts'
import { bulkSmsBd } from './bulksmsbd.server.ts'
import type { SmsGateway } from './gateway.ts'

export const SMS_SIMULATOR_PREFIX = '/demo-sms-gateway'
const DEMO_CALL_MS = 150

/** How a demo mounts the simulated SMS provider. */
export interface DemoSmsOptions {
  apiKey: string
  /** The duration of a call. */
  takesMs: number
}

const settingsSchema = z.object({
  SMS_API_KEY: z.string().max(200).optional(),
  SMS_SENDER_ID: z.string().max(50).optional(),
  SMS_BASE_URL: z.string().default('https://bulksmsbd.net').refine(isSafeUrl, { error: 'SMS_BASE_URL must be an https address.' }),
})

export type ConfigureSmsOptions = {
  /** A demo sends to the simulator, also when credentials are set. */
  env: Pick<Env, 'port' | 'host' | 'demo'>
  log: HttpLog
  source?: SettingsSource
}

/**
 * The SMS gateway of this process, null without credentials. A demo uses the simulator, whose options are returned to mount it
 * under `SMS_SIMULATOR_PREFIX`. Incomplete credentials or an unsafe URL throw a SettingsError.
 */
export function configureSms({ env, log, source = process.env }: ConfigureSmsOptions): {
  gateway: SmsGateway | null
  simulator: DemoSmsOptions | null
} {
  if (env.demo === 'on') return demoSms(env, log)
  const { SMS_API_KEY: apiKey, SMS_SENDER_ID: senderId, SMS_BASE_URL: baseUrl } = parseSettings(settingsSchema, source)
  if (apiKey === undefined && senderId === undefined) return { gateway: null, simulator: null }
  if (apiKey === undefined || senderId === undefined)
    throw new SettingsError(
      `${apiKey === undefined ? 'SMS_API_KEY' : 'SMS_SENDER_ID'} must be set too: sending SMS needs both SMS_API_KEY and SMS_SENDER_ID.`,
    )
  return { gateway: bulkSmsBd({ apiKey, senderId, baseUrl: baseUrl.replace(/\/+$/, ''), log }), simulator: null }
}

/** The key is random at each start, so that a public demo cannot be used to send. */
function demoSms(env: ConfigureSmsOptions['env'], log: HttpLog) {
  const apiKey = randomBytes(12).toString('hex')
  const baseUrl = internalUrl(env) + SMS_SIMULATOR_PREFIX
  return { gateway: bulkSmsBd({ apiKey, senderId: 'Khamar', baseUrl, log }), simulator: { apiKey, takesMs: DEMO_CALL_MS } }
}
