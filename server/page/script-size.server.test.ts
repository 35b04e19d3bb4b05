import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { LANGS } from '#lib/i18n/lang.ts'
import { shared } from '#test/shared.ts'
import { builtPages } from './assets.ts'

// The scripts that a page of the shop loads before anything is pressed, each compressed with gzip. A KB is 1,024 bytes.

const CLIENT = join(import.meta.dirname, '../../dist/client')
const LISTS = /^store-(home-home|listing-(beef|category|search))$/
const MAX_BYTES = { list: 95 * 1024, other: 105 * 1024 }

test('lists load at most 95 KB of scripts, every other page of the shop 105 KB', async () => {
  await shared('pages')
  const manifest: Record<string, { name?: string; isEntry?: boolean }> = JSON.parse(
    readFileSync(join(CLIENT, '.vite/manifest.json'), 'utf8'),
  )
  const pages = Object.values(manifest).flatMap(({ name = '', isEntry }) => (isEntry && name.startsWith('store-') ? [name] : []))
  expect(pages).toEqual(
    expect.arrayContaining([
      'store-home-home',
      'store-listing-beef',
      'store-product-product',
      'store-checkout-checkout',
      'store-order-invoice',
    ]),
  )
  const build = builtPages()
  const sizes = LANGS.flatMap((lang) =>
    pages.map((page) => {
      const bytes = build.assets(page, lang).scripts.reduce((sum, file) => sum + gzipSync(readFileSync(join(CLIENT, file))).length, 0)
      return { page: `${page} ${lang}`, bytes, max: LISTS.test(page) ? MAX_BYTES.list : MAX_BYTES.other }
    }),
  )
  expect(sizes.filter(({ bytes, max }) => bytes > max)).toEqual([])
})
