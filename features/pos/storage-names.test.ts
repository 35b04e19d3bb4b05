import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as names from './storage-names.ts'

it('devices of an earlier release keep their unsent sales, their sale and their page', () => {
  expect({ ...names, WORKER_NAMES: null }).toEqual({
    POS_DATABASE: 'khamar-till',
    PAGE_CACHE: 'khamar-till-page',
    FILES_CACHE_PREFIX: 'khamar-till-files-',
    PAGE_OWNER_KEY: 'khamar.till.owner',
    SALE_KEY: 'khamar.till',
    SALE_CASHIER_KEY: 'khamar.till.cashier',
    SEND_LOCK: 'khamar-till-send',
    CATALOG_LOCK: 'khamar-till-catalog',
    OUTBOX_CHANNEL: 'khamar-till-outbox',
    SHIFT_CHANNEL: 'khamar-till-shift',
    SYNC_TAG: 'khamar-unsent-sales',
    WITHDRAWN_CACHE: 'khamar-withdrawn-sales',
    WORKER_NAMES: null,
  })
})

it('no other file has the names', () => {
  const files = globSync('{features,site,server,lib,page,components,test,bench}/**/*.{ts,tsx,mjs}')
  expect(files.length).toBeGreaterThan(1000)
  const found = files.filter((file) => /khamar[.-](till|unsent-sales|withdrawn-sales)/.test(readFileSync(file, 'utf8')))
  expect(found.toSorted()).toEqual(['features/pos/storage-names.test.ts', 'features/pos/storage-names.ts'])
})
