/** The result of a call: a response of any status, or none (offline, timeout; with the body null, a success that is no JSON). */
export type CallResult<Body = unknown> =
  | { ok: boolean; status: number; body: Body; noResponse?: false }
  | { ok: false; noResponse: true; status?: undefined; body?: null | undefined }

interface CallOptions {
  method?: 'GET' | 'POST' | 'DELETE' | 'PUT'
  /** Sent as JSON; FormData and URLSearchParams are sent unchanged. */
  body?: unknown
  headers?: Record<string, string>
  timeoutMs?: number
  cache?: RequestCache
  signal?: AbortSignal
}

const TIMEOUT_MS = 15_000
const BAD_TOKEN = 403
/** The session is locked. The admin's lock screen listens for the event `khamar:locked`. */
const LOCKED = 423

/** The CSRF token of the page. */
export function csrfToken(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content ?? ''
}

/** Two tokens that begin with the ids of two users; a stranger's has none. */
const OF_TWO_USERS = /^(\d+\.).* (?!\1)\d+\./

/** Fetches a new CSRF token into the page; false when that fails, or when another user has logged in: the page must not write as that one. */
export async function renewCsrfToken(): Promise<boolean> {
  const answer = await send<{ token?: unknown }>('/csrf-token', { cache: 'no-store' })
  const token = answer.body?.token
  const meta = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')
  if (!answer.ok || typeof token !== 'string' || !meta || token === meta.content) return false
  if (OF_TWO_USERS.test(`${meta.content} ${token}`)) return false
  meta.content = token
  return true
}

/**
 * Calls the shop's server. Writes send the CSRF token. When it is rejected, it is renewed once and the call is repeated, which is safe
 * because a request with a rejected token changes nothing. A success that is no JSON is no response: a network that asks to sign in has answered,
 * or the connection ended early. The body of another status is then null.
 */
export async function call<Body = unknown>(url: string, options: CallOptions = {}): Promise<CallResult<Body>> {
  const answer = await send<Body>(url, options)
  const writes = options.method !== undefined && options.method !== 'GET'
  if (writes && answer.status === BAD_TOKEN && (await renewCsrfToken())) return send<Body>(url, options)
  return answer
}

async function send<Body>(url: string, options: CallOptions): Promise<CallResult<Body>> {
  const { method = 'GET', body, timeoutMs = TIMEOUT_MS, cache, signal } = options
  const headers: Record<string, string> = { accept: 'application/json', ...options.headers }
  if (method !== 'GET') headers['x-csrf-token'] = csrfToken()
  const asIs = body instanceof FormData || body instanceof URLSearchParams
  if (body !== undefined && !asIs) headers['content-type'] = 'application/json'
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), timeoutMs)
  signal?.addEventListener('abort', () => stop.abort(), { once: true })
  try {
    const response = await fetch(url, {
      method,
      headers,
      credentials: 'same-origin',
      signal: stop.signal,
      ...(cache ? { cache } : {}),
      ...(body === undefined ? {} : { body: asIs ? body : JSON.stringify(body) }),
    })
    if (response.status === LOCKED) dispatchEvent(new Event('khamar:locked'))
    const parsed = (await (response.ok ? response.json() : response.json().catch(() => null))) as Body
    return { ok: response.ok, status: response.status, body: parsed }
  } catch (error) {
    return { ok: false, noResponse: true, body: error instanceof SyntaxError ? null : undefined }
  } finally {
    clearTimeout(timer)
  }
}
