export type Json = Readonly<Record<string, unknown>>

/** The result of a call. Without a usable response `status` is set when the server sent one. */
export type HttpResult = { answered: true; status: number; json: Json } | { answered: false; detail: string; status?: number }

/** Logs calls. It never gets passwords or tokens, nor URLs that contain them. */
export type HttpLog = {
  info(detail: object, message: string): void
  warn(detail: object, message: string): void
}

export type HttpRequest = {
  /** The name of the call in the log. The URL is never logged: SSLCommerz puts the password into it. */
  call: string
  url: string
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  timeoutMs: number
  /** Aborts the call: the detail of the result is 'aborted'. */
  signal?: AbortSignal
  log: HttpLog
}

const MAX_RESPONSE_LENGTH = 1024 * 1024

/**
 * Sends one request to the server of another company: no retries (some GETs move money), no redirects, one timeout for headers and body.
 * A 5xx, a body that is no JSON object, or a timeout is `answered: false`. Never throws.
 */
export async function sendHttpRequest(request: HttpRequest): Promise<HttpResult> {
  const startedAt = performance.now()
  const answer = await send(request)
  const ms = Math.round(performance.now() - startedAt)
  if (answer.answered) request.log.info({ call: request.call, status: answer.status, ms }, 'gateway answered')
  else request.log.warn({ call: request.call, detail: answer.detail, ms }, 'gateway gave no usable answer')
  return answer
}

async function send({ url, method, headers, body, timeoutMs, signal: given }: HttpRequest): Promise<HttpResult> {
  try {
    const late = AbortSignal.timeout(timeoutMs)
    const signal = given ? AbortSignal.any([late, given]) : late
    const response = await fetch(url, { method, headers: headers ?? {}, body: body ?? null, signal, redirect: 'error' })
    const text = await readLimited(response)
    if (text === null) return { answered: false, detail: 'too-long' }
    if (response.status >= 500) return { answered: false, detail: `http-${response.status}`, status: response.status }
    const json = parseObject(text)
    return json ? { answered: true, status: response.status, json } : { answered: false, detail: 'not-json', status: response.status }
  } catch (error) {
    return { answered: false, detail: reasonOf(error) }
  }
}

async function readLimited(response: Response): Promise<string | null> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    if (text.length > MAX_RESPONSE_LENGTH) return null
  }
  return text + decoder.decode()
}

/** Parses the body regardless of its Content-Type: SSLCommerz sends JSON under several types. */
function parseObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
  } catch {
    return null
  }
}

/** A code only: the message of a network error may contain the URL. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  if (error.name === 'TimeoutError') return 'timeout'
  if (error.name === 'AbortError') return 'aborted'
  const code = (error.cause as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : 'no-connection'
}
