import { fork } from 'node:child_process'
import { join } from 'node:path'

export interface Bare {
  url: string
  pid: number
  stop(): void
}

/** Starts a bare server in its own process; it sends this body for every request. */
export async function startBare(
  kind: 'http' | 'fastify',
  answer: { headers?: Record<string, string>; body: Buffer; path?: string },
): Promise<Bare> {
  const child = fork(join(import.meta.dirname, 'bare-server.ts'), { execArgv: ['--disable-warning=ExperimentalWarning'] })
  const ready = new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { port: number }).port))
    child.once('exit', () => reject(new Error('The bare server ended')))
  })
  child.send({ kind, headers: answer.headers ?? {}, body: answer.body.toString('base64'), path: answer.path ?? '/' })
  return { url: `http://127.0.0.1:${await ready}`, pid: child.pid ?? 0, stop: () => void child.kill() }
}
