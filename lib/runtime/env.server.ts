import { randomBytes } from 'node:crypto'
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { urlsOfHosts } from '../db/database-urls.ts'
import { makeFolder } from '../files/folders.server.ts'
import { isPercentEncoded } from '../http/safe-url.ts'
import { isProxyRange } from '../http/trusted-proxies.server.ts'
import { LOG_LEVELS, type LogLevel } from './log.server.ts'
import { observabilitySettings, observabilityVariables, type ObservabilitySettings } from './observability-settings.server.ts'
import { hostName, parseSettings, type SettingsSource, wholeNumberSetting } from './parse-settings.ts'
import { SettingsError } from './settings-error.ts'
import { type StorageSettings, storageSettings, storageVariables } from './storage-settings.server.ts'

export type Env = {
  port: number
  host: string
  /** Absolute path of the folder that holds the embedded database, uploads and generated secrets. */
  dataDir: string
  /** URL of an external PostgreSQL; null means the embedded one in `dataDir`. */
  databaseUrl: string | null
  /** URL of a streaming replica for lists, reports and search of the admin; null reads from the database itself. */
  databaseReadUrl: string | null
  /** The URL of the shop for visitors, without a trailing slash. */
  publicUrl: string
  sessionSecret: string
  demo: 'on' | 'off' | 'auto'
  rateLimit: boolean
  production: boolean
  /** Addresses of the reverse proxies whose forwarded client address is trusted; null trusts none. */
  trustProxy: string | null
  logLevel: LogLevel
  observability: ObservabilitySettings
} & StorageSettings

const DEFAULT_PORT = 3000
const DEFAULT_HOST = '127.0.0.1'
const DEFAULT_DATA_DIR = '.data'
const MIN_SECRET_LENGTH = 32

const settingsSchema = z.object({
  PORT: wholeNumberSetting('PORT', 1, 65_535).default(DEFAULT_PORT),
  HOST: hostName('HOST').default(DEFAULT_HOST),
  DATA_DIR: z.string().default(DEFAULT_DATA_DIR),
  DATABASE_URL: postgresUrl('DATABASE_URL', 'host').optional(),
  DATABASE_READ_URL: postgresUrl('DATABASE_READ_URL', 'replica', { isOneHost: true }).optional(),
  PUBLIC_URL: z
    .string()
    .refine(isBareOrigin, {
      error: (issue) => `PUBLIC_URL must look like https://shop.example, not "${String(issue.input)}".`,
    })
    .optional(),
  SESSION_SECRET: z
    .string()
    .min(MIN_SECRET_LENGTH, {
      error: `SESSION_SECRET must have at least ${MIN_SECRET_LENGTH} characters (make one with: openssl rand -hex 32).`,
    })
    .optional(),
  DEMO: oneOf('DEMO', ['on', 'off', 'auto']).default('auto'),
  RATE_LIMIT: oneOf('RATE_LIMIT', ['on', 'off']).default('on'),
  TRUST_PROXY: z
    .string()
    .refine((text) => text.split(',').every((part) => isProxyRange(part.trim())), {
      error: 'TRUST_PROXY must list the addresses of your own proxies, such as 127.0.0.1 or 10.0.0.0/8.',
    })
    .optional(),
  NODE_ENV: oneOf('NODE_ENV', ['production', 'development', 'test']).default('development'),
  LOG_LEVEL: oneOf('LOG_LEVEL', LOG_LEVELS).default('warn'),
  ...storageVariables,
  ...observabilityVariables,
})

/** The settings of a command. Without the session secret, which is for the process that answers requests. */
export type CommandEnv = Omit<Env, 'sessionSecret'>

/**
 * Reads the settings of the shop. Creates DATA_DIR and, outside production, stores a generated session secret in it.
 * Throws a `SettingsError` with one line that names the problem.
 */
export function readEnv(source: SettingsSource = process.env): Env {
  const settings = parseSettings(settingsSchema, source)
  const env = commandEnv(settings)
  makeDataDir(env.dataDir)
  return { ...env, sessionSecret: settings.SESSION_SECRET ?? storedSecret(env.dataDir) }
}

/** Reads the settings; an empty value is unset. Creates nothing: DATA_DIR may be mistyped. Throws as `readEnv`. */
export function readCommandEnv(source: SettingsSource = process.env): CommandEnv {
  return commandEnv(parseSettings(settingsSchema, source))
}

function commandEnv(settings: z.output<typeof settingsSchema>): CommandEnv {
  const production = settings.NODE_ENV === 'production'
  if (settings.METRICS_PORT !== undefined && !settings.METRICS_TOKEN && !isLoopback(settings.METRICS_HOST)) {
    throw new SettingsError(`METRICS_TOKEN is needed with METRICS_HOST=${settings.METRICS_HOST}, which others can reach.`)
  }
  if (production) assertProductionSettings(settings)
  const dataDir = path.resolve(settings.DATA_DIR)
  return {
    port: settings.PORT,
    host: settings.HOST,
    dataDir,
    databaseUrl: settings.DATABASE_URL ?? null,
    databaseReadUrl: settings.DATABASE_READ_URL ?? null,
    publicUrl: new URL(settings.PUBLIC_URL ?? defaultPublicUrl(settings.HOST, settings.PORT)).origin,
    demo: settings.DEMO,
    rateLimit: settings.RATE_LIMIT === 'on',
    production,
    trustProxy: settings.TRUST_PROXY ?? null,
    logLevel: settings.LOG_LEVEL,
    ...storageSettings(settings, dataDir),
    observability: observabilitySettings(settings),
  }
}

function oneOf<const T extends readonly [string, ...string[]]>(name: string, values: T) {
  return z.enum(values, {
    error: (issue) => `${name} must be ${values.join(' or ')}, not "${String(issue.input)}".`,
  })
}

function assertProductionSettings(settings: { SESSION_SECRET?: string; PUBLIC_URL?: string; RATE_LIMIT: string; DEMO: string }): void {
  if (!settings.SESSION_SECRET) {
    throw new SettingsError('SESSION_SECRET is needed in production: at least 32 characters (make one with: openssl rand -hex 32).')
  }
  if (!settings.PUBLIC_URL) {
    throw new SettingsError(
      'PUBLIC_URL is needed in production: the address at which shoppers reach the shop, such as PUBLIC_URL=https://shop.example.',
    )
  }
  // Without TLS a browser sends the session cookie in clear text, and the shop could not set it as Secure.
  const { protocol, hostname } = new URL(settings.PUBLIC_URL)
  if (protocol !== 'https:' && !isLoopback(hostname)) {
    throw new SettingsError(`PUBLIC_URL must begin with https:// in production, not "${settings.PUBLIC_URL}".`)
  }
  if (settings.RATE_LIMIT === 'off') {
    throw new SettingsError('RATE_LIMIT=off is for measuring and is refused in production.')
  }
  if (settings.DEMO === 'on') {
    throw new SettingsError('DEMO=on is refused in production: it would open accounts with a known password.')
  }
}

function postgresUrl(name: string, host: string, { isOneHost = false } = {}) {
  const example = `${name} must look like postgresql://user:password@${host}:5432/database`
  return z
    .string()
    .refine((text) => isPostgresUrl(text) && !(isOneHost && urlsOfHosts(text).length > 1), {
      error: `${example}; in the password write / as %2F, # as %23, ? as %3F, @ as %40.`,
    })
    .refine(isPercentEncoded, { error: `${name} has a % that encodes nothing: write it as %25.` })
    .refine((text) => unreadableCertificate(text) === null, {
      error: (issue) => `${name} names a file that this user cannot read: ${unreadableCertificate(String(issue.input))}.`,
    })
}

/** A `/`, `?` or `#` in a password ends the name of the host before it: an `@` is left in the path or query, or there is a fragment. */
function isPostgresUrl(text: string): boolean {
  return urlsOfHosts(text).every((one) => {
    const url = URL.parse(one)
    return url !== null && /^postgres(ql)?:$/.test(url.protocol) && !`${url.pathname}${url.search}`.includes('@') && url.hash === ''
  })
}

/** The first file of a PostgreSQL URL's certificates that cannot be read, or null. */
function unreadableCertificate(text: string): string | null {
  const parameters = URL.parse(urlsOfHosts(text)[0]!)?.searchParams
  const files = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => parameters?.get(name)).filter((file) => !!file)
  return files.find((file) => !isReadable(file!)) ?? null
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}

function isBareOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash
}

function defaultPublicUrl(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::'
  const shown = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${shown}:${port}`
}

/** Whether a host name or address means this machine only. */
function isLoopback(host: string): boolean {
  return /^(127(\.\d{1,3}){3}|\[?::1\]?|(.+\.)?localhost)$/i.test(host)
}

/** The settings that make the shop reachable from other machines, as `HOST=0.0.0.0`; empty when none does. */
export function publicSettings({ host, publicUrl, trustProxy }: Pick<Env, 'host' | 'publicUrl' | 'trustProxy'>): string[] {
  return [
    ...(isLoopback(host) ? [] : [`HOST=${host}`]),
    ...(isLoopback(new URL(publicUrl).hostname) ? [] : [`PUBLIC_URL=${publicUrl}`]),
    ...(trustProxy === null ? [] : [`TRUST_PROXY=${trustProxy}`]),
  ]
}

/** The URL at which this process reaches itself. */
export function internalUrl({ host, port }: Pick<Env, 'host' | 'port'>): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${reachable}:${port}`
}

function makeDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir)
  } catch (error) {
    throw new SettingsError(`DATA_DIR ${dataDir} cannot be made: ${reasonOf(error)}.`)
  }
}

/** The generated session secret, stored so that sessions survive a restart. */
function storedSecret(dataDir: string): string {
  const file = path.join(dataDir, 'session-secret')
  try {
    // "wx" fails when the file exists, so processes that start concurrently share one secret.
    writeFileSync(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new SettingsError(`DATA_DIR ${dataDir} cannot be written to: ${reasonOf(error)}.`)
    }
  }
  const secret = readSecret(file)
  if (secret.length < MIN_SECRET_LENGTH) {
    throw new SettingsError(`The file ${file} is damaged; delete it and start again.`)
  }
  return secret
}

function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new SettingsError(`The file ${file} cannot be read: ${reasonOf(error)}.`)
  }
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code
  const reasons: Record<string, string> = {
    EACCES: 'this user has no permission',
    EPERM: 'this user has no permission',
    EROFS: 'the disk is read-only',
    ENOSPC: 'the disk is full',
    ENOTDIR: 'a part of the path is not a folder',
    EEXIST: 'there is a file of that name',
    ENOENT: 'the system lets nothing be made there',
  }
  return reasons[code ?? ''] ?? String(code ?? error)
}
