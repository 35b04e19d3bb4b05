import { spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#test/free-port.ts'

export type ShopProcess = {
  url: string
  pid: number
  /** The exit code, once it has ended; null after a signal that it could not answer. */
  ended: Promise<number | null>
  /** All it has printed so far. */
  output(): string
  /** SIGTERM; throws when it does not end in time, or not with 0. */
  stop(): Promise<void>
  /** SIGKILL. */
  kill(): Promise<void>
}

type Options = {
  databaseUrl?: string
  dataDir: string
  env?: Record<string, string>
  /** The folder that holds `server/main.mjs`, instead of the project. */
  folder?: string
  /** Called with all it has printed so far, after each piece. */
  onPrint?: (printed: string) => void
}

// A loaded machine may be slow; a process that ends is noticed immediately.
const READY_TIMEOUT_MS = 300_000
const STOP_MS = 20_000
const ROOT = path.resolve(import.meta.dirname, '..')

/** Starts `node server/main.mjs` on a free port and waits until it is ready. Throws with what it printed. */
export async function startShopProcess({
  databaseUrl = '',
  dataDir,
  env = {},
  folder = ROOT,
  onPrint = () => {},
}: Options): Promise<ShopProcess> {
  const port = env.PORT ?? String(await freePort())
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', path.join(folder, 'server/main.mjs')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TZ: 'UTC',
      PORT: port,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      DEMO: 'off',
      RATE_LIMIT: 'off',
      ...env,
    },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => onPrint((printed += chunk)))
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  const shop: ShopProcess = {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    ended,
    output: () => printed,
    async stop() {
      child.kill('SIGTERM')
      const late = new AbortController()
      const code = await Promise.race([ended, sleep(STOP_MS, 'late' as const, { signal: late.signal })])
      late.abort()
      if (code === 0) return
      child.kill('SIGKILL')
      throw new Error(`The shop ${code === 'late' ? 'did not end in time' : `ended with ${code}`}:\n${printed}`)
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
  await untilReady(shop)
  return shop
}

async function untilReady(shop: ShopProcess): Promise<void> {
  let isOver = false
  void shop.ended.then(() => (isOver = true))
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < deadline) {
    if (isOver) throw new Error(`The shop did not start:\n${shop.output()}`)
    const response = await fetch(`${shop.url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
    if (response?.ok) return
    await sleep(50)
  }
  await shop.kill()
  throw new Error(`The shop did not get ready:\n${shop.output()}`)
}
