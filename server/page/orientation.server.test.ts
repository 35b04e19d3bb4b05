import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shared } from '#test/shared.ts'

const DIST = join(import.meta.dirname, '../../dist')

test('no style sheet knows how the phone is held, so none can lock a page to one orientation', async () => {
  await shared('pages')
  const sheets = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'))
  expect(sheets.length).toBeGreaterThan(20)
  expect(sheets.filter((file) => /orientation/.test(readFileSync(join(DIST, file), 'utf8')))).toEqual([])
})
