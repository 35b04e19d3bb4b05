import { textOf } from './response-fields.ts'
import { sendHttpRequest, type HttpRequest } from '#lib/http/http-client.server.ts'

const SKEW_MS = 5 * 60_000
const PAUSE_AFTER_REJECTION_MS = 30_000

export type TokenResult = { ok: true; token: string } | { ok: false; detail: string }
export type TokenSource = { get(): Promise<TokenResult>; invalidate(token: string): void }

/**
 * Caches bKash's one-hour token and renews it five minutes early. Concurrent callers share one request. After a rejection it pauses, because
 * bKash blocks merchants that request tokens too often.
 */
export function bkashTokens(grant: HttpRequest, now: () => number): TokenSource {
  let cached: { token: string; until: number } | null = null
  let pending: Promise<TokenResult> | null = null
  let rejected: { detail: string; until: number } | null = null

  const request = async (): Promise<TokenResult> => {
    const response = await sendHttpRequest(grant)
    if (!response.answered) return { ok: false, detail: response.detail }
    const token = textOf(response.json, 'id_token')
    if (token === '') {
      const detail = `grant refused ${textOf(response.json, 'statusCode')}`.trim()
      rejected = { detail, until: now() + PAUSE_AFTER_REJECTION_MS }
      return { ok: false, detail }
    }
    cached = { token, until: now() + (Number(response.json['expires_in']) || 3600) * 1000 - SKEW_MS }
    return { ok: true, token }
  }

  return {
    async get() {
      if (cached && cached.until > now()) return { ok: true, token: cached.token }
      if (rejected && rejected.until > now()) return { ok: false, detail: rejected.detail }
      pending ??= request().finally(() => {
        pending = null
      })
      return pending
    },
    invalidate(token) {
      if (cached?.token === token) cached = null
    },
  }
}
