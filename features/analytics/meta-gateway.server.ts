import { z } from 'zod'
import { type HttpLog, sendHttpRequest } from '#lib/http/http-client.server.ts'
import { isSafeUrl } from '#lib/http/safe-url.ts'
import { parseSettings, type SettingsSource } from '#lib/runtime/parse-settings.ts'

/** The outcome of an event. Refused: Meta found a mistake in it. Later: the connection, Meta, or the token has a problem. */
export type ReportOutcome = { state: 'sent' } | { state: 'refused' | 'later'; code: string }

export interface ConversionGateway {
  report(pixelId: string, event: object): Promise<ReportOutcome>
}

const TIMEOUT_MS = 15_000
/** Errors of the Graph API about the account or its limits: developers.facebook.com, Graph API, error handling. */
const ACCOUNT_ERRORS = new Set([1, 2, 3, 4, 10, 17, 32, 102, 104, 190, 341, 368, 613])

const settingsSchema = z.object({
  META_ACCESS_TOKEN: z
    .string()
    .regex(/^[\w|-]{20,500}$/, { error: 'META_ACCESS_TOKEN must be the access token of the Conversions API.' })
    .optional(),
  META_TEST_EVENT_CODE: z
    .string()
    .regex(/^\w{1,50}$/, { error: 'META_TEST_EVENT_CODE must be a code such as TEST12345.' })
    .optional(),
  META_GRAPH_URL: z
    .string()
    .default('https://graph.facebook.com/v24.0')
    .refine(isSafeUrl, { error: 'META_GRAPH_URL must be an https address.' }),
})

/** Meta's Conversions API; null without META_ACCESS_TOKEN, and in a demo. Wrong settings throw a SettingsError. */
export function configureConversions({
  env,
  log,
  source = process.env,
}: {
  env: { demo: string }
  log: HttpLog
  source?: SettingsSource
}): ConversionGateway | null {
  if (env.demo === 'on') return null
  const { META_ACCESS_TOKEN: token, META_TEST_EVENT_CODE: testCode, META_GRAPH_URL: url } = parseSettings(settingsSchema, source)
  return token === undefined ? null : metaGateway({ url: url.replace(/\/+$/, ''), token, testCode: testCode ?? null, log })
}

interface MetaSettings {
  url: string
  token: string
  /** Events with a test code are shown in the Events Manager and are not counted. */
  testCode: string | null
  log: HttpLog
  /** Shorter in tests. */
  timeoutMs?: number
}

/** The gateway of Meta's Conversions API. */
export function metaGateway({ url, token, testCode, log, timeoutMs = TIMEOUT_MS }: MetaSettings): ConversionGateway {
  return {
    async report(pixelId, event) {
      const body = { data: [event], access_token: token, ...(testCode === null ? {} : { test_event_code: testCode }) }
      const answer = await sendHttpRequest({
        call: 'meta conversions',
        url: `${url}/${encodeURIComponent(pixelId)}/events`,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        timeoutMs,
        log,
      })
      if (!answer.answered) return { state: 'later', code: answer.detail }
      if (answer.status < 300) return { state: 'sent' }
      const code = errorCode(answer.json)
      const isAboutEvent = answer.status === 400 && code !== null && !ACCOUNT_ERRORS.has(code) && !(code >= 200 && code < 300)
      return { state: isAboutEvent ? 'refused' : 'later', code: code === null ? `http-${answer.status}` : `error-${code}` }
    },
  }
}

function errorCode(json: Readonly<Record<string, unknown>>): number | null {
  const code = (json.error as { code?: unknown } | undefined)?.code
  return typeof code === 'number' ? code : null
}
