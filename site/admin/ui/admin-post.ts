import { showToast } from '#components/toast.tsx'
import type { Translate } from '#lib/i18n/translate.ts'
import { call } from '#page/api-client.ts'
import { attemptHeaders, endAttempt } from './idempotency-key.ts'

/**
 * Result of a write: the body, or the status with a message and errors by field. Status null: no answer came. `saved`: what a conflict says of
 * the row as it is saved.
 */
export type PostResult<Body> =
  | { ok: true; body: Body }
  | { ok: false; status: number | null; message: string | null; errors: Record<string, string[]>; saved?: Partial<Body> }

const FORBIDDEN = 403
const CONFLICT = 409
const SERVER_ERROR = 500

/** Whether a failed write may have been saved: no answer came, or the server or a proxy before it gave up waiting. */
export function mayBeSaved({ status }: { status: number | null }): boolean {
  return status === null || status >= SERVER_ERROR
}

interface Refusal {
  message?: string
  errors?: Record<string, string[]>
  /** The page that asks for the password or a code first. */
  redirect?: string
}

/**
 * Sends a change to the server; `status` is null when no answer came. `once` names the form of something new: the same words go under
 * the same key until an answer has come, so that a second press after a lost one makes no second row. `words` are those of the body, where it
 * also has what the page has read and reads again after a reload. Where the password or a code is needed first, the page is left for that.
 */
export async function adminPost<Body = unknown>(
  url: string,
  body: unknown,
  options: { method?: 'POST' | 'PUT' | 'DELETE'; timeoutMs?: number; once?: string; words?: unknown } = {},
): Promise<PostResult<Body>> {
  const { method = 'POST', timeoutMs, once, words = body } = options
  const answer = await call<Body & Refusal>(url, {
    method,
    body,
    ...(timeoutMs ? { timeoutMs } : {}),
    ...(once ? { headers: attemptHeaders(once, JSON.stringify(words)) } : {}),
  })
  if (answer.noResponse) return { ok: false, status: null, message: null, errors: {} }
  if (once && answer.ok) endAttempt(once)
  return answer.ok ? { ok: true, body: answer.body } : refused(answer.status, answer.body)
}

function refused<Body>(status: number, body: (Body & Refusal) | null): PostResult<Body> | Promise<never> {
  if (status === FORBIDDEN && body?.redirect) {
    location.assign(body.redirect)
    // What is typed is a draft; the form stays busy until the page is gone.
    return new Promise(() => {})
  }
  const { message = null, errors = {} } = body ?? {}
  return { ok: false, status, message, errors, ...(status === CONFLICT && body ? { saved: body } : {}) }
}

/** The text of a failed write. Null: no answer came. */
export function failureText(failure: { message?: string | null } | null | undefined, t: Translate): string {
  return failure?.message ?? t('admin.no-answer')
}

/** Announces a failed write. */
export function showFailure(failure: { message?: string | null }, t: Translate): void {
  showToast(failureText(failure, t), { kind: 'error' })
}
