import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { internalUrl, SettingsError, type Env } from '#lib/runtime/env.server.ts'
import type { ExchangeLog } from '#lib/http/http-client.server.ts'
import { bulkSmsBd } from './bulksmsbd.server.ts'
import type { SmsGateway } from './gateway.ts'
import type { SmsSimulatorOptions } from '#dev/sms-simulator/plugin.server.ts'

type Source = Record<string, string | undefined>

export const SMS_SIMULATOR_PREFIX = '/demo-sms-gateway'
const DEMO_CALL_MS = 150

const settingsSchema = z.object({
  SMS_API_KEY: z.string().max(200).optional(),
  SMS_SENDER_ID: z.string().max(50).optional(),
  SMS_BASE_URL: z.string().default('https://bulksmsbd.net').refine(isSafeAddress, { error: 'SMS_BASE_URL must be an https address.' }),
})

export type ConfigureSmsOptions = {
  /** A demo shop sends to the simulator, whatever credentials the environment holds. */
  env: Pick<Env, 'port' | 'host' | 'demo'>
  log: ExchangeLog
  source?: Source
}

/**
 * Who sends this process's messages; null when nobody is configured. In a demo it is the simulator, whose options come along:
 * mount it under `SMS_SIMULATOR_PREFIX`. Half of the credentials, or a wrong address, is a SettingsError.
 */
export function configureSms({ env, log, source = process.env }: ConfigureSmsOptions): {
  gateway: SmsGateway | null
  simulator: SmsSimulatorOptions | null
} {
  if (env.demo === 'on') return demoSms(env, log)
  const parsed = settingsSchema.safeParse(Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim())))
  if (!parsed.success) throw new SettingsError(parsed.error.issues.map((issue) => issue.message).join(' '))
  const { SMS_API_KEY: apiKey, SMS_SENDER_ID: senderId, SMS_BASE_URL: baseUrl } = parsed.data
  if (apiKey === undefined && senderId === undefined) return { gateway: null, simulator: null }
  if (apiKey === undefined || senderId === undefined)
    throw new SettingsError(
      `${apiKey === undefined ? 'SMS_API_KEY' : 'SMS_SENDER_ID'} must be set too: sending SMS needs both SMS_API_KEY and SMS_SENDER_ID.`,
    )
  return { gateway: bulkSmsBd({ apiKey, senderId, baseUrl: baseUrl.replace(/\/+$/, ''), log }), simulator: null }
}

/** The key is drawn anew at each start: nobody can send at a public demo by reading this file. */
function demoSms(env: ConfigureSmsOptions['env'], log: ExchangeLog) {
  const apiKey = randomBytes(12).toString('hex')
  const baseUrl = internalUrl(env) + SMS_SIMULATOR_PREFIX
  return { gateway: bulkSmsBd({ apiKey, senderId: 'Khamar', baseUrl, log }), simulator: { apiKey, takesMs: DEMO_CALL_MS } }
}

/** The key goes there, so only encrypted, or to this machine itself. */
function isSafeAddress(text: string): boolean {
  const url = URL.parse(text)
  if (url?.protocol === 'https:') return true
  return url?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)
}
