import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Env } from '#lib/runtime/env.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'

interface Address {
  port: number
  host: string
}

/** Throws a `SettingsError` when the shop or its metrics could not listen: before migrations, after which the old version does not start again. */
export async function assertPortsFree({ port, host, observability: { metricsPort, metricsHost } }: Env): Promise<void> {
  const newServer = () => createServer((socket) => socket.destroy())
  const [shop, metrics] = [newServer(), newServer()]
  const tryPort = async (server: typeof shop, address: Address) => {
    server.listen(address)
    await once(server, 'listening')
  }
  try {
    await tryPort(shop, { port, host }).catch((error) => Promise.reject(explainPort(error, { port, host })))
    if (metricsPort === null) return
    const address = { port: metricsPort, host: metricsHost }
    await tryPort(metrics, address).catch((error) => Promise.reject(explainPort(error, address, 'METRICS_')))
  } finally {
    for (const server of [shop, metrics]) server.close()
  }
}

/** Translates an error of `listen`; others stay as they are. */
export function explainPort(error: unknown, { port, host }: Address, prefix: '' | 'METRICS_' = ''): unknown {
  const name = prefix ? `${prefix}PORT` : 'Port'
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new SettingsError(
        `${name} ${port} is taken by another program: stop it, or choose another${prefix ? ' port' : ' with PORT=3001'}.`,
      )
    case 'EACCES':
      return new SettingsError(`${name} ${port} needs more rights than this user has: choose one above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new SettingsError(`${prefix}HOST ${host} is no address of this machine.`)
    default:
      return error
  }
}
