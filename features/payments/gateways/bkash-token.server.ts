import { textOf } from './response-fields.ts'
import { exchange, type Exchange } from '#lib/http/http-client.server.ts'

const SKEW_MS = 5 * 60_000
const PAUSE_AFTER_REFUSAL_MS = 30_000

export type TokenResult = { ok: true; token: string } | { ok: false; detail: string }
export type TokenSource = { get(): Promise<TokenResult>; forget(token: string): void }

/**
 * bKash's one-hour token, asked for once however many payments start together, renewed five minutes early.
 * bKash blocks merchants that ask too often, so after a refusal there is a pause.
 */
export function bkashTokens(grant: Exchange, now: () => number): TokenSource {
  let held: { token: string; until: number } | null = null
  let asking: Promise<TokenResult> | null = null
  let refused: { detail: string; until: number } | null = null

  const ask = async (): Promise<TokenResult> => {
    const answer = await exchange(grant)
    if (!answer.answered) return { ok: false, detail: answer.detail }
    const token = textOf(answer.json, 'id_token')
    if (token === '') {
      const detail = `grant refused ${textOf(answer.json, 'statusCode')}`.trim()
      refused = { detail, until: now() + PAUSE_AFTER_REFUSAL_MS }
      return { ok: false, detail }
    }
    held = { token, until: now() + (Number(answer.json['expires_in']) || 3600) * 1000 - SKEW_MS }
    return { ok: true, token }
  }

  return {
    async get() {
      if (held && held.until > now()) return { ok: true, token: held.token }
      if (refused && refused.until > now()) return { ok: false, detail: refused.detail }
      asking ??= ask().finally(() => {
        asking = null
      })
      return asking
    },
    forget(token) {
      if (held?.token === token) held = null
    },
  }
}
