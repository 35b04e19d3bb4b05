import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { randomToken } from '#lib/ids/ids.server.ts'
import { TEST_PASSWORD } from './factories.ts'

/** The fields that tests look at in answers; what a call does not answer is undefined. */
export type AnswerBody = {
  message?: string
  reason?: string
  error?: string
  errors?: Record<string, string[]>
  order_id?: number
  redirect_url?: string
  redirect?: string
  total?: number
  product_ids?: number[]
  request_id?: string
}

export type Answer = { status: number; headers: IncomingHttpHeaders; text: string; body: AnswerBody }

export type SendOptions = {
  headers?: Record<string, string | string[]>
  /** Another anti-forgery token than the visitor's own; null sends none. */
  token?: string | null
  /** Idempotency key of an order. */
  key?: string
}

const connections = new Agent({ keepAlive: true, maxSockets: 100 })

/** One request as it goes over the wire: no redirects are followed, nothing is added but a host. */
export function exchange(url: string, method: string, headers: Record<string, string | string[]>, body?: string | Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: connections }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: readJson(text) })
      })
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server has closed this idle connection at the same moment: a browser sends the request again, too.
      if (request.reusedSocket && error.code === 'ECONNRESET') resolve(exchange(url, method, headers, body))
      else reject(error)
    })
    request.end(body)
  })
}

function readJson(text: string): AnswerBody {
  try {
    return JSON.parse(text) as AnswerBody
  } catch {
    return {}
  }
}

/** A visitor of the shop: sends the anti-forgery token with every write, as the pages do, and stores cookies, as a browser does. */
export class Visitor {
  readonly url: string
  readonly cookies = new Map<string, string>()
  readonly #storesCookies: boolean
  #token: string | null = null

  constructor(url: string, { storesCookies = true } = {}) {
    this.url = url
    this.#storesCookies = storesCookies
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('GET', path, undefined, { headers })
  }

  /** A body that is text is sent as it is; anything else as JSON. */
  async post(path: string, body: unknown = {}, { headers = {}, token, key }: SendOptions = {}): Promise<Answer> {
    const sent = token === undefined ? await this.token() : token
    return this.send('POST', path, typeof body === 'string' ? body : JSON.stringify(body), {
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(sent === null ? {} : { 'x-csrf-token': sent }),
        ...(path === '/customer-orders' ? { 'idempotency-key': key ?? randomToken(16) } : {}),
        ...headers,
      },
    })
  }

  /** A form as a browser without script sends it. */
  async postForm(path: string, fields: Record<string, string>): Promise<Answer> {
    const body = new URLSearchParams({ ...fields, _token: await this.token() }).toString()
    return this.send('POST', path, body, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', origin: this.url },
    })
  }

  /** The anti-forgery token that this visitor's pages carry. */
  async token(): Promise<string> {
    this.#token ??= ((await this.get('/csrf-token')).body as { token: string }).token
    return this.#token
  }

  /** After signing in or out by whatever way: pages carry another token now. */
  clearToken(): void {
    this.#token = null
  }

  async signIn(identifier: string, password = TEST_PASSWORD): Promise<Answer> {
    const answer = await this.post('/login', { identifier, password })
    this.#token = null
    return answer
  }

  async signOut(): Promise<Answer> {
    const answer = await this.post('/logout')
    this.#token = null
    return answer
  }

  async send(
    method: string,
    path: string,
    body?: string | Buffer,
    { headers = {} }: { headers?: Record<string, string | string[]> } = {},
  ): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await exchange(this.url + path, method, { ...(cookie ? { cookie } : {}), ...headers }, body)
    if (this.#storesCookies) for (const line of answer.headers['set-cookie'] ?? []) this.#storeCookie(line)
    return answer
  }

  #storeCookie(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    const isGone = value === '' || /expires=Thu, 01 Jan 1970/i.test(line)
    if (isGone) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}
