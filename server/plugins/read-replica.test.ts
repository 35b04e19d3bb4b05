import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import type { Db } from '#lib/db/db.server.ts'
import type { ReadReplica } from '#lib/db/read-replica.server.ts'
import type { Deps } from '../deps.ts'
import { registerReadReplica } from './read-replica.ts'

const away = new Error('Connection terminated unexpectedly')
let position = () => Promise.resolve('16/B374D848')
const replica = { position: () => position(), read: (written: string | null) => Promise.resolve(written) } as unknown as ReadReplica
const app = Fastify()
await app.register(cookie)
app.decorateRequest('viewer', null as never)
app.addHook('onRequest', async (request) => void (request.viewer = { user: { role: 'manager' } } as typeof request.viewer))
registerReadReplica(app, { db: {} as Db, replica, env: { publicUrl: 'http://shop.example' } as Deps['env'] })
app.post('/write', async () => ({ saved: true }))
app.get('/read', async (request) => ({ written: await request.read(async () => null) }))
afterAll(() => app.close())

const write = async () => {
  const { statusCode, cookies } = await app.inject({ method: 'POST', url: '/write' })
  const written = cookies.find(({ name }) => name === 'written')?.value ?? ''
  return { statusCode, written: (await app.inject({ url: '/read', cookies: { written } })).json<{ written: string | null }>().written }
}

it('a write of staff is followed by reads that have its position', async () => {
  expect(await write()).toEqual({ statusCode: 200, written: '16/B374D848' })
})

it('a write that is saved stays a success when its position is not known: the next reads leave the replica out', async () => {
  position = () => Promise.reject(away)
  expect(await write()).toEqual({ statusCode: 200, written: 'FFFFFFFF/FFFFFFFF' })
})
