import { MAX_EARLIER_KEYS, newRequestKey } from '#lib/http/idempotency-key.ts'

interface Attempt {
  key: string
  body: string
  /** The keys of earlier attempts with other bodies, whose answers may have been lost. Attempts of an earlier build have none. */
  earlier?: string[]
}

const attempts = new Map<string, Attempt>()
const nameOf = (form: string) => `attempt:${form}`

/**
 * The key that a body is sent under: the same for the same body, until another one is sent from the form. It outlives a reload, as the
 * draft does that is sent again afterwards.
 */
export function attemptKey(form: string, body: string): string {
  const last = attempts.get(form) ?? stored(form)
  const attempt = last?.body === body ? last : { key: newRequestKey(), body, earlier: keysOf(last) }
  attempts.set(form, attempt)
  try {
    sessionStorage.setItem(nameOf(form), JSON.stringify(attempt))
  } catch {
    // A full or forbidden storage: the key lives as long as the page.
  }
  return attempt.key
}

/**
 * The headers of a request from the form: its key, and those of earlier attempts with other inputs. The server says whether it has recorded one of
 * them.
 */
export function attemptHeaders(form: string, body: string): Record<string, string> {
  const key = attemptKey(form, body)
  const earlier = attempts.get(form)?.earlier ?? []
  return { 'idempotency-key': key, ...(earlier.length > 0 ? { 'x-earlier-keys': earlier.join(' ') } : {}) }
}

/** The keys of the attempts of a form that have no answer. */
export function openKeys(form: string): string[] {
  return keysOf(stored(form))
}

/** The newest keys of an attempt and those before it, as many as the server reads. */
function keysOf(last: Attempt | null): string[] {
  return last ? [...(last.earlier ?? []), last.key].slice(-MAX_EARLIER_KEYS) : []
}

/** After an answer: the next one is another, even with the same words. A second press on the same page still repeats this one. */
export function endAttempt(form: string): void {
  try {
    sessionStorage.removeItem(nameOf(form))
  } catch {
    // Nothing was stored.
  }
}

/** After an answer, where the form begins again: the same words are then another order. */
export function clearAttempt(form: string): void {
  attempts.delete(form)
  endAttempt(form)
}

function stored(form: string): Attempt | null {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(form)) ?? 'null') as Attempt | null
  } catch {
    return null
  }
}
