import { afterAll } from 'vitest'
import { bootShop, type BootOptions, type TestShop } from './boot-shop.ts'
import { shared } from './shared.ts'

export type { TestShop } from './boot-shop.ts'

/** The whole shop in this process (see `bootShop`), closed at the end of the test file. */
export async function openShop(options: BootOptions): Promise<TestShop> {
  await shared('pages')
  const shop = await bootShop(options)
  afterAll(shop.close)
  return shop
}
