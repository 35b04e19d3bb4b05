import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { prepareUploads } from './prepare-uploads.ts'

let folder: string
beforeEach(async () => (folder = path.join(await mkdtemp(path.join(tmpdir(), 'khamar-logo-')), 'uploads')))
afterEach(() => rm(path.dirname(folder), { recursive: true }))

const logo = () => readFile(path.join(folder, 'logo.png'))
const shipped = await readFile('public/logo.png')

it('a new folder has the default logo alone', async () => {
  await prepareUploads(folder)
  expect([await readdir(folder), (await logo()).equals(shipped)]).toEqual([['logo.png'], true])
})

it('the logo of the owner stays; one that a power cut left empty is replaced', async () => {
  await prepareUploads(folder)
  for (const [before, after] of [
    ['a logo', 'a logo'],
    ['', shipped.toString()],
  ] as const) {
    await writeFile(path.join(folder, 'logo.png'), before)
    await prepareUploads(folder)
    expect((await logo()).toString()).toBe(after)
  }
})
