import type { GatewayLog } from '#features/payments/gateway.ts'
import { bkashTokens } from '#features/payments/gateways/bkash-token.server.ts'
import { type HttpResult, sendHttpRequest } from '#lib/http/http-client.server.ts'

export type BkashConfig = {
  username: string
  password: string
  appKey: string
  appSecret: string
  /** With its version, without a slash at the end: `https://tokenized.pay.bka.sh/v1.2.0-beta`. */
  baseUrl: string
  log: GatewayLog
  timeoutMs?: number
  /** Milliseconds; by default those since the start of the process, so that setting the clock prolongs no pause. */
  now?: () => number
}

/** `sent`: the call left the shop; false when there was no token. */
export type BkashAnswer = HttpResult & { sent: boolean }

const DEFAULT_TIMEOUT_MS = 30_000
const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json' }

/** Sends calls of tokenised checkout with a valid token. A rejected token means that nothing was done, so such a call is retried once. */
export function bkashClient(config: BkashConfig) {
  const { log, timeoutMs = DEFAULT_TIMEOUT_MS } = config
  const url = (path: string) => `${config.baseUrl}/tokenized/checkout/${path}`
  const tokens = bkashTokens(
    {
      call: 'bkash grant',
      url: url('token/grant'),
      method: 'POST',
      headers: { ...JSON_HEADERS, username: config.username, password: config.password },
      body: JSON.stringify({ app_key: config.appKey, app_secret: config.appSecret }),
      timeoutMs,
      log,
    },
    config.now ?? (() => performance.now()),
  )

  async function send(path: string, fields: object, mayRetry: boolean): Promise<BkashAnswer> {
    const token = await tokens.get()
    if (!token.ok) return { answered: false, detail: token.detail, sent: false }
    const answer = await sendHttpRequest({
      call: `bkash ${path}`,
      url: url(path),
      method: 'POST',
      headers: { ...JSON_HEADERS, authorization: token.token, 'x-app-key': config.appKey },
      body: JSON.stringify(fields),
      timeoutMs,
      log,
    })
    if (answer.answered && answer.status === 401) {
      tokens.invalidate(token.token)
      if (mayRetry) return send(path, fields, false)
    }
    return { ...answer, sent: true }
  }
  return {
    /** Calls a path with a JSON body. */
    send: (path: string, fields: object) => send(path, fields, true),
    /** A valid token, or why there is none. */
    token: () => tokens.get(),
  }
}
