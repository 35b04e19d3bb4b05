import { connect, type Socket } from 'node:net'

/** The result of a run. */
export interface LoadResult {
  /** Responses per second. */
  rate: number
  count: number
  /** Percentiles of the response time in milliseconds. */
  p50: number
  p95: number
  p99: number
  /** All response times in milliseconds, ascending. */
  times: Float64Array
  /** The number of responses by status. */
  statuses: Record<number, number>
}

/** The time within which a part (0 to 1) of the responses came; `times` in ascending order. */
export const percentile = (times: ArrayLike<number>, part: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Infinity

/** Whether every response had this status. */
export const areAll = (statuses: LoadResult['statuses'], status = 200): boolean => Object.keys(statuses).join() === String(status)

/** Adds the responses of a run to those of others. */
export function addStatuses(sum: LoadResult['statuses'], { statuses }: Pick<LoadResult, 'statuses'>): void {
  for (const [status, count] of Object.entries(statuses)) sum[Number(status)] = (sum[Number(status)] ?? 0) + count
}

interface Load {
  url: string
  /** The next request as its bytes. */
  next: () => string
  connections?: number
  ms: number
}

export const CONNECTIONS = 16

/** Sends requests over keep-alive connections for `ms`, each the next one after its response. */
export async function load({ url, next, connections = CONNECTIONS, ms }: Load): Promise<LoadResult> {
  const { port, hostname } = new URL(url)
  const tally: Tally = { times: [], statuses: {} }
  const begin = performance.now()
  await Promise.all(Array.from({ length: connections }, () => sendUntil(begin + ms, connect(Number(port), hostname), next, tally)))
  const seconds = (performance.now() - begin) / 1000
  const times = Float64Array.from(tally.times).sort()
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => percentile(times, part)) as [number, number, number]
  return { rate: times.length / seconds, count: times.length, p50, p95, p99, times, statuses: tally.statuses }
}

interface Tally {
  times: number[]
  statuses: Record<number, number>
}

function sendUntil(end: number, socket: Socket, next: () => string, tally: Tally): Promise<void> {
  socket.setNoDelay(true)
  return new Promise((resolve, reject) => {
    let sentAt = 0
    let held: Buffer | null = null
    let missing = 0
    const send = () => {
      sentAt = performance.now()
      if (sentAt >= end) return socket.end(resolve)
      socket.write(next())
    }
    const answered = () => {
      tally.times.push(performance.now() - sentAt)
      send()
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => (performance.now() < end ? reject(new Error('The server closed the connection')) : resolve()))
    socket.on('data', (chunk) => {
      if (missing > 0) {
        missing -= chunk.length
        if (missing === 0) answered()
        return
      }
      const start: Buffer = held ? Buffer.concat([held, chunk]) : chunk
      const head = readHead(start)
      held = head ? null : start
      if (!head) return
      tally.statuses[head.status] = (tally.statuses[head.status] ?? 0) + 1
      missing = head.length - start.length
      if (missing === 0) answered()
    })
  })
}

/** Status and length of a response, once its head is complete. */
function readHead(bytes: Buffer): { status: number; length: number } | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const head = bytes.toString('latin1', 0, headEnd)
  const status = Number(head.slice(9, 12))
  const length = /\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined && status !== 304 && status !== 204) throw new Error(`An answer without its length:\n${head}`)
  return { status, length: headEnd + 4 + (status === 304 ? 0 : Number(length ?? 0)) }
}

/** A request with the headers of a browser that affect the response. */
export function get(url: string, path: string, headers: Record<string, string> = {}): string {
  return request('GET', url, path, { accept: '*/*', 'accept-encoding': 'gzip, deflate, br', 'accept-language': 'en', ...headers })
}

/** A POST with a JSON body. */
export function postJson(url: string, path: string, body: string, headers: Record<string, string>): string {
  const always = { 'accept-encoding': 'gzip, deflate, br', 'accept-language': 'en', 'content-type': 'application/json' }
  return request('POST', url, path, { ...always, ...headers, 'content-length': String(Buffer.byteLength(body)) }) + body
}

function request(method: string, url: string, path: string, headers: Record<string, string>): string {
  const lines = Object.entries({ host: new URL(url).host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}
