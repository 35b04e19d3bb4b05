import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isHttps } from '#lib/http/is-https.ts'
import { type ReadReplica, WAL_POSITION, type WalPosition } from '#lib/db/read-replica.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { readCookie } from '#lib/http/read-cookie.ts'
import type { Deps } from '../deps.ts'

/** The position of the browser's last write. A cookie, so that every process knows it. */
const WRITTEN_COOKIE = 'written'
/** A replica that is older is not read at all. */
const COOKIE_SECONDS = 60
/** Beyond every position, for a write whose own is not known: what is saved must not be answered as an error. */
const UNKNOWN_POSITION: WalPosition = 'FFFFFFFF/FFFFFFFF'

/** Adds `request.read`, and notes in a cookie where in the log a write of staff stands. */
export function registerReadReplica(app: FastifyInstance, { db, replica, env }: Pick<Deps, 'db' | 'replica' | 'env'>): void {
  app.decorateRequest('read', function read<T>(this: FastifyRequest, run: (db: Db) => Promise<T>): Promise<T> {
    return replica ? replica.read(writtenBy(this), run) : run(db)
  })
  if (replica) noteWrites(app, replica, isHttps(env.publicUrl))
}

function noteWrites(app: FastifyInstance, replica: ReadReplica, secure: boolean): void {
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: COOKIE_SECONDS } as const
  app.addHook('onSend', async (request, reply, payload) => {
    const isWrite = request.method !== 'GET' && request.method !== 'HEAD' && reply.statusCode < 400
    const user = request.viewer?.user
    if (!isWrite || !user || user.role === 'customer') return payload
    const position = await replica.position().catch(() => UNKNOWN_POSITION)
    // A cookie would encode the slash of a position.
    reply.setCookie(WRITTEN_COOKIE, position.replace('/', '-'), options)
    return payload
  })
}

function writtenBy({ headers }: FastifyRequest): string | null {
  const position = readCookie(headers.cookie, WRITTEN_COOKIE)?.replace('-', '/') ?? ''
  return WAL_POSITION.test(position) ? position : null
}
