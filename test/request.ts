import { afterAll } from 'vitest'
import { startServer, type ServerOptions, type TestShop } from './start-server.ts'
import { shared } from './shared.ts'

export type { TestShop } from './start-server.ts'

/** The whole shop in this process (see `startServer`), closed at the end of the test file. */
export async function openShop(options: ServerOptions): Promise<TestShop> {
  await shared('pages')
  const shop = await startServer(options)
  afterAll(shop.close)
  return shop
}
