import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DEMO_TEMPLATE } from './clone.ts'
import { newDatabase } from './db.ts'
import { freePort, isFree } from './free-port.ts'
import { shared } from './shared.ts'
import { startShopProcess, type ShopProcess } from './shop-process.ts'

export type Shop = ShopProcess & { dataDir: string; databaseUrl: string }

type Options = {
  /** The demo shop's products, pictures and accounts instead of an empty shop. */
  demo?: boolean
  /** Settings beside the usual ones; `DATABASE_URL: ''` gives it an embedded database of its own. */
  env?: Record<string, string>
}

/** The port of this worker's last shop: the next one is the same site for its browser, which has the scripts compiled. */
let lastPort: number | undefined

async function takePort(): Promise<number> {
  const port = lastPort
  lastPort = undefined
  return port !== undefined && (await isFree(port)) ? port : freePort()
}

/**
 * Starts the whole shop as a process, with built pages, a data folder and a database of its own. Call `stop` at the
 * end (in `afterAll`), which also takes both away.
 */
export async function startShop({ demo = false, env = {} }: Options = {}): Promise<Shop> {
  await shared('pages')
  const dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-shop-'))
  if (demo) await cp(path.join(await shared('demo'), 'uploads'), path.join(dataDir, 'uploads'), { recursive: true })
  const database = await newDatabase(demo ? { template: DEMO_TEMPLATE } : {})
  async function clear(): Promise<void> {
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const port = await takePort()
    const shop = await startShopProcess({
      databaseUrl: database.url,
      dataDir,
      env: { PORT: String(port), ...(demo ? { DEMO: 'on' } : {}), ...env },
    })
    return {
      ...shop,
      dataDir,
      databaseUrl: database.url,
      async stop() {
        await shop.stop().finally(clear)
        lastPort = port
      },
    }
  } catch (error) {
    await clear()
    throw error
  }
}
