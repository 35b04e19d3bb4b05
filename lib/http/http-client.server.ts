export type Json = Readonly<Record<string, unknown>>

/** `status` stands beside a text that could not be read: it may still say who refused. */
export type Answer = { answered: true; status: number; json: Json } | { answered: false; detail: string; status?: number }

/** Where it is written what happened. Never given a password, a token, or an address that holds one. */
export type ExchangeLog = {
  info(detail: object, message: string): void
  warn(detail: object, message: string): void
}

export type Exchange = {
  /** What the call is called in the log. The address is never logged: SSLCommerz puts the password into it. */
  call: string
  url: string
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  timeoutMs: number
  /** Gives up early: the answer is then 'aborted'. */
  signal?: AbortSignal
  log: ExchangeLog
}

const MAX_ANSWER_LENGTH = 1024 * 1024

/**
 * Calls another company's server once: no retries (money moves on some GETs), no redirects, one time limit for head and body.
 * A 5xx, a text that is not a JSON object, or silence come back as `answered: false`; nothing is thrown.
 */
export async function exchange(request: Exchange): Promise<Answer> {
  const began = performance.now()
  const answer = await once(request)
  const ms = Math.round(performance.now() - began)
  if (answer.answered) request.log.info({ call: request.call, status: answer.status, ms }, 'gateway answered')
  else request.log.warn({ call: request.call, detail: answer.detail, ms }, 'gateway gave no usable answer')
  return answer
}

async function once({ url, method, headers, body, timeoutMs, signal: given }: Exchange): Promise<Answer> {
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
    if (text.length > MAX_ANSWER_LENGTH) return null
  }
  return text + decoder.decode()
}

/** The Content-Type is not looked at: SSLCommerz sends JSON under several names. */
function parseObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
  } catch {
    return null
  }
}

/** Only a code: the message of a network error may repeat the address. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  if (error.name === 'TimeoutError') return 'timeout'
  if (error.name === 'AbortError') return 'aborted'
  const code = (error.cause as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : 'no-connection'
}
