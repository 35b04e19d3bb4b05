import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Above the ports that browsers refuse, and below those that systems give to outgoing connections: one of those could be taken before a
 * shop of a test listens on it.
 */
const [FIRST_PORT, LAST_PORT] = [11_000, 32_000]
const MAX_TRIES = 50

/** A free TCP port for a server that starts later, or ends and comes back. Random, so that concurrent tests choose different ones. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const port = randomInt(FIRST_PORT, LAST_PORT)
    if (await isFree(port)) return port
  }
  throw new Error(`No free port between ${FIRST_PORT} and ${LAST_PORT}.`)
}

export async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}
