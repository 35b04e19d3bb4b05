import { z } from 'zod'
import { isEmail } from '#lib/format/email.ts'
import { isPercentEncoded } from '#lib/http/safe-url.ts'
import type { Env } from '#lib/runtime/env.server.ts'
import { parseSettings, type SettingsSource } from '#lib/runtime/parse-settings.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import type { EmailGateway } from './gateway.ts'
import { type SmtpSettings, smtpGateway } from './smtp.server.ts'

const SUBMISSION_PORT = 587
const TLS_PORT = 465

const settingsSchema = z.object({
  SMTP_URL: z
    .string()
    .refine((text) => /^smtps?:$/.test(URL.parse(text)?.protocol ?? '') && URL.parse(text)?.hostname !== '', {
      error: 'SMTP_URL must look like smtps://user:password@mail.example:465 or smtp://user:password@mail.example:587.',
    })
    .refine(isPercentEncoded, { error: 'SMTP_URL has a % that encodes nothing: write it as %25.' })
    .optional(),
  SMTP_HOST: z
    .string()
    .regex(/^[\w.:-]{1,255}$/, { error: 'SMTP_HOST must be a host name.' })
    .optional(),
  SMTP_PORT: z
    .string()
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535, {
      error: (issue) => `SMTP_PORT must be a whole number from 1 to 65535, not "${String(issue.input)}".`,
    })
    .transform(Number)
    .optional(),
  SMTP_USER: z.string().max(255).optional(),
  SMTP_PASSWORD: z.string().max(500).optional(),
  EMAIL_FROM: z
    .string()
    .refine((text) => readSender(text) !== null, {
      error: 'EMAIL_FROM must be an address, such as orders@shop.example or Shop <orders@shop.example>.',
    })
    .optional(),
})

/**
 * The email gateway of this process. Null without settings: no email is queued. A demo logs instead of sending, so that invented
 * addresses get no mail. Incomplete or wrong settings throw a SettingsError.
 */
export function configureEmail({
  env,
  log,
  source = process.env,
}: {
  env: Pick<Env, 'demo'>
  log: { info(detail: object, message: string): void }
  source?: SettingsSource
}): EmailGateway | null {
  if (env.demo === 'on') return logOnlyEmail(log)
  const settings = parseSettings(settingsSchema, source)
  const { SMTP_URL, SMTP_HOST, EMAIL_FROM } = settings
  if (!SMTP_URL && !SMTP_HOST) return null
  const sender = EMAIL_FROM ? readSender(EMAIL_FROM) : null
  if (sender === null)
    throw new SettingsError('EMAIL_FROM is needed to send email: the address that customers see, such as orders@shop.example.')
  return smtpGateway({ ...(SMTP_URL ? serverOfUrl(SMTP_URL) : serverOfParts(settings)), sender })
}

type Server = Omit<SmtpSettings, 'sender'>

/** The parts of the URL. Query parameters are ignored: they could switch off the check of certificates. */
function serverOfUrl(text: string): Server {
  const url = new URL(text)
  const isSecure = url.protocol === 'smtps:'
  const port = url.port === '' ? (isSecure ? TLS_PORT : SUBMISSION_PORT) : Number(url.port)
  const account = url.username === '' ? null : { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port, isSecure, account }
}

function serverOfParts({ SMTP_HOST, SMTP_PORT = SUBMISSION_PORT, SMTP_USER, SMTP_PASSWORD }: z.infer<typeof settingsSchema>): Server {
  if ((SMTP_USER === undefined) !== (SMTP_PASSWORD === undefined))
    throw new SettingsError('SMTP_USER and SMTP_PASSWORD must be set together.')
  const account = SMTP_USER === undefined ? null : { user: SMTP_USER, password: SMTP_PASSWORD! }
  return { host: SMTP_HOST!, port: SMTP_PORT, isSecure: SMTP_PORT === TLS_PORT, account }
}

/** `Name <address>` or an address; null for anything else. */
function readSender(text: string): { name: string | null; address: string } | null {
  const named = /^\s*"?([^"<>\r\n]*?)"?\s*<([^<>\s]+)>\s*$/.exec(text)
  const address = (named?.[2] ?? text).trim()
  return isEmail(address) ? { name: named?.[1]?.trim() || null, address } : null
}

function logOnlyEmail(log: { info(detail: object, message: string): void }): EmailGateway {
  return {
    async send({ messageId }) {
      log.info({ messageId }, 'demo: email not sent')
      return { state: 'sent' }
    },
  }
}
