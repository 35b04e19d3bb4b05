import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { GatewayLog, Gateways } from '#features/payments/gateway.ts'
import { bkashGateway } from '#features/payments/gateways/bkash.server.ts'
import { sslcommerzGateway } from '#features/payments/gateways/sslcommerz.server.ts'
import type { SimulatorOptions } from '#features/payments/simulator-options.ts'
import { internalUrl, type Env } from '#lib/runtime/env.server.ts'
import { parseSettings, type SettingsSource } from '#lib/runtime/parse-settings.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'

export const SIMULATOR_PREFIX = '/demo-gateway'

const address = (name: string) =>
  z.string().refine((text) => URL.parse(text)?.protocol === 'https:', { error: `${name} must be an https address.` })

const settingsSchema = z.object({
  SSLCOMMERZ_STORE_ID: z.string().max(30).optional(),
  SSLCOMMERZ_STORE_PASSWORD: z.string().max(30).optional(),
  SSLCOMMERZ_BASE_URL: address('SSLCOMMERZ_BASE_URL').default('https://securepay.sslcommerz.com'),
  BKASH_USERNAME: z.string().optional(),
  BKASH_PASSWORD: z.string().optional(),
  BKASH_APP_KEY: z.string().optional(),
  BKASH_APP_SECRET: z.string().optional(),
  BKASH_BASE_URL: address('BKASH_BASE_URL').default('https://tokenized.pay.bka.sh/v1.2.0-beta'),
})

type Settings = z.infer<typeof settingsSchema>

export type ConfigureOptions = {
  /** A demo pays at the simulator, also when credentials are set. */
  env: Pick<Env, 'port' | 'host' | 'publicUrl' | 'demo'>
  log: GatewayLog
  source?: SettingsSource
}

/**
 * The gateways of this process. A demo uses the simulator for both; its options are returned to mount it under `SIMULATOR_PREFIX`.
 * Otherwise a gateway is configured when all its credentials are set. Incomplete credentials throw a SettingsError.
 */
export function configureGateways(options: ConfigureOptions): { gateways: Gateways; simulator: SimulatorOptions | null } {
  if (options.env.demo === 'on') return demoGateways(options)
  const settings = parseSettings(settingsSchema, options.source ?? process.env)
  const { log } = options
  const gateways: Gateways = { default: null }
  const store = readCredentials(settings, ['SSLCOMMERZ_STORE_ID', 'SSLCOMMERZ_STORE_PASSWORD'])
  if (store) {
    const [storeId, storePassword] = store as [string, string]
    gateways.sslcommerz = sslcommerzGateway({
      storeId,
      storePassword,
      baseUrl: withoutTrailingSlash(settings.SSLCOMMERZ_BASE_URL),
      fallbackEmail: fallbackEmail(options.env.publicUrl),
      log,
    })
  }
  const wallet = readCredentials(settings, ['BKASH_USERNAME', 'BKASH_PASSWORD', 'BKASH_APP_KEY', 'BKASH_APP_SECRET'])
  if (wallet) {
    const [username, password, appKey, appSecret] = wallet as [string, string, string, string]
    gateways.bkash = bkashGateway({ username, password, appKey, appSecret, baseUrl: withoutTrailingSlash(settings.BKASH_BASE_URL), log })
  }
  gateways.default = gateways.sslcommerz ? 'sslcommerz' : gateways.bkash ? 'bkash' : null
  return { gateways, simulator: null }
}

/** Credentials are random at each start, so that payments at a public demo cannot be opened from outside. */
function demoGateways({ env, log }: ConfigureOptions): { gateways: Gateways; simulator: SimulatorOptions } {
  const secret = () => randomBytes(12).toString('hex')
  const credentials = {
    storeId: 'khamar-demo',
    storePassword: secret(),
    bkash: { username: 'khamar-demo', password: secret(), appKey: secret(), appSecret: secret() },
  }
  const internal = internalUrl(env)
  const simulator: SimulatorOptions = {
    credentials,
    publicPrefix: env.publicUrl + SIMULATOR_PREFIX,
    shop: { origin: env.publicUrl, internal },
  }
  const { storeId, storePassword, bkash } = credentials
  const baseUrl = internal + SIMULATOR_PREFIX
  return {
    gateways: {
      sslcommerz: sslcommerzGateway({ storeId, storePassword, baseUrl, fallbackEmail: fallbackEmail(env.publicUrl), log }),
      bkash: bkashGateway({ ...bkash, baseUrl: `${baseUrl}/bkash`, log }),
      default: 'sslcommerz',
    },
    simulator,
  }
}

/** The values when all are set, null when none is. Throws a SettingsError when some are missing. */
function readCredentials(settings: Settings, names: (keyof Settings)[]): string[] | null {
  const missing = names.filter((name) => settings[name] === undefined)
  if (missing.length === names.length) return null
  if (missing.length > 0) throw new SettingsError(`${missing.join(', ')} must be set too: a gateway needs all of ${names.join(', ')}.`)
  return names.map((name) => settings[name] as string)
}

function fallbackEmail(publicUrl: string): string {
  const host = new URL(publicUrl).hostname
  const email = `orders@${host}`
  return /\.[a-z]{2,}$/i.test(host) && email.length <= 50 ? email : 'orders@khamar.example'
}

const withoutTrailingSlash = (url: string) => url.replace(/\/+$/, '')
