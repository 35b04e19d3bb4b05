// The baseline: a server that only sends the same bytes. Started by bare.ts.
import { createServer } from 'node:http'
import Fastify from 'fastify'

interface Task {
  kind: 'http' | 'fastify'
  headers: Record<string, string>
  /** Base64. */
  body: string
  path: string
}

process.once('message', async (message) => {
  const task = message as Task
  const body = Buffer.from(task.body, 'base64')
  process.send?.({ port: task.kind === 'http' ? await bareHttp(task, body) : await bareFastify(task, body) })
})
process.on('disconnect', () => process.exit(0))

async function bareHttp({ headers }: Task, body: Buffer): Promise<number> {
  const server = createServer((_req, res) => {
    res.writeHead(200, headers)
    res.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as { port: number }).port
}

/** A bare route that answers with the data as JSON, as any Fastify app does. */
async function bareFastify({ path }: Task, body: Buffer): Promise<number> {
  const data: unknown = JSON.parse(body.toString())
  const app = Fastify()
  app.get(path, async () => data)
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as { port: number }).port
}
