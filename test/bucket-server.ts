import { mkdtempSync, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import S3rver, { type Store } from 's3rver'
import type { S3Settings } from '#lib/files/bucket.server.ts'

/** How the server fails every request: drops it, never answers, answers with an error, or sends half of the answer. */
export type Misbehaviour =
  | 'drops'
  | 'silent'
  | 'error-500'
  | 'refuses'
  | 'redirects'
  | 'refuses-time'
  | 'halves'
  | 'stalls'
  | 'cuts-list'
  | 'nonsense'

export interface BucketServer {
  settings: S3Settings
  /** The environment of a process that uses this server. */
  env: Record<string, string>
  /** Null means that the server works; `times` limits the failures. */
  misbehave(how: Misbehaviour | null, times?: number): void
  /** Method and path of every request since the start. */
  requests: string[]
  stop(): Promise<void>
}

const ERROR = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`

/** The answer of a server that knows the first version of the call only, whose mark of the next page is another. */
const CUT_LIST = `<?xml version="1.0"?><ListBucketResult><Name>shop</Name><IsTruncated>true</IsTruncated><Contents><Key>khamar/a</Key><Size>1</Size>
<LastModified>2026-11-20T06:00:00.000Z</LastModified></Contents></ListBucketResult>`

/** Starts an S3-compatible server on this machine with one empty bucket, `shop`. The caller stops it. */
export async function startBucketServer(port = 0): Promise<BucketServer> {
  const directory = mkdtempSync(path.join(tmpdir(), 'khamar-bucket-'))
  const app = new S3rver({ directory, silent: true, vhostBuckets: false, configureBuckets: [{ name: 'shop' }] })
  await app.configureBuckets()
  answerWhenWritten(app.store)
  const handle = app.callback()
  const requests: string[] = []
  let failure: { how: Misbehaviour; left: number } | null = null
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    if (!failure || failure.left <= 0) return handle(request, response)
    failure.left -= 1
    fail(failure.how, request, response, handle)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    settings: { endpoint, region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    env: { S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' },
    misbehave: (how, times = Number.POSITIVE_INFINITY) => {
      failure = how && { how, left: times }
    },
    requests,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      app.logger.exceptions.unhandle()
      app.logger.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** The server's store answers when it has read a body. A part that is not yet on the disk would be missing in the object. */
function answerWhenWritten(store: Store): void {
  const untilWritten = async <T extends { size: number }>(file: string, answer: T): Promise<T> => {
    while (((await stat(file).catch(() => null))?.size ?? -1) < answer.size) await sleep(1)
    return answer
  }
  const [putObject, putPart] = [store.putObject.bind(store), store.putPart.bind(store)]
  store.putObject = async (object) => untilWritten(store.getResourcePath(object.bucket, object.key, 'object'), await putObject(object))
  store.putPart = async (bucket, uploadId, part, content) => {
    const file = path.join(store.getResourcePath(bucket, undefined, 'uploads'), uploadId, String(part))
    return untilWritten(file, await putPart(bucket, uploadId, part, content))
  }
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

function fail(how: Misbehaviour, request: IncomingMessage, response: ServerResponse, handle: Handler): void {
  // An unread body would break the next request on the connection.
  if (!['halves', 'stalls'].includes(how)) request.resume()
  switch (how) {
    case 'drops':
      request.socket.destroy()
      return
    case 'silent':
      return
    case 'error-500':
      response.writeHead(500, { 'content-type': 'application/xml' }).end(ERROR('InternalError'))
      return
    case 'refuses':
      response.writeHead(403, { 'content-type': 'application/xml' }).end(ERROR('SignatureDoesNotMatch'))
      return
    case 'redirects':
      response.writeHead(301, { 'content-type': 'application/xml' }).end(ERROR('PermanentRedirect'))
      return
    case 'refuses-time':
      response.writeHead(403, { 'content-type': 'application/xml' }).end(ERROR('RequestTimeTooSkewed'))
      return
    case 'cuts-list':
      response.writeHead(200, { 'content-type': 'application/xml' }).end(CUT_LIST)
      return
    case 'nonsense':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome to the hotel network')
      return
    case 'halves':
    case 'stalls':
      endEarly(response, how === 'halves')
      handle(request, response)
  }
}

/** Lets the first bytes of a body through, then cuts the connection or sends nothing more. */
function endEarly(response: ServerResponse, isCut: boolean): void {
  const write = response.write.bind(response)
  let isFirst = true
  response.write = ((chunk: Buffer) => {
    if (!isFirst) return true
    isFirst = false
    write(chunk.subarray(0, Math.ceil(chunk.byteLength / 2)), () => isCut && response.destroy())
    return true
  }) as typeof response.write
  response.end = (() => response) as typeof response.end
}
