import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const PROXY_ID = /^[\w.:-]{8,64}$/

/** The id of a request: the one that a trusted proxy gave it, so that both logs agree, else a random one. A counter would repeat in each process. */
export function requestId(isFromProxy: (req: IncomingMessage) => boolean): (req: IncomingMessage) => string {
  return (req) => {
    const given = req.headers['x-request-id']
    return typeof given === 'string' && PROXY_ID.test(given) && isFromProxy(req) ? given : randomUUID()
  }
}
