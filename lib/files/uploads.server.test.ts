import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { openUploads } from './uploads.server.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'khamar-uploads-'))
afterAll(() => rmSync(folder, { recursive: true }))
const uploads = openUploads({ folder, bucket: null })

/** The names in the folder each time that `run` writes something through to the disk. */
async function namesAtFlushes(run: () => Promise<void>): Promise<string[][]> {
  const handle = await open(folder, 'r')
  const prototype = Object.getPrototypeOf(handle) as { sync(): Promise<void> }
  await handle.close()
  const seen: string[][] = []
  const { sync } = prototype
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(function flushed(this: unknown) {
    seen.push(readdirSync(folder))
    return sync.call(this)
  })
  try {
    await run()
  } finally {
    spy.mockRestore()
  }
  return seen
}

it.each([
  ['written', (name: string) => uploads.write(name, Buffer.from('goat'))],
  [
    'moved',
    async (name: string) => {
      const draft = await uploads.draft(name)
      writeFileSync(draft, 'goat')
      await uploads.move(draft, name)
    },
  ],
  ['copied', (name: string) => uploads.copy(import.meta.filename, name)],
])('a file that is %s survives a power cut: it is on the disk before it has its name, and so is the name', async (how, store) => {
  const name = `${how}.webp`
  expect(await namesAtFlushes(() => store(name))).toEqual([[`${name}.part`], [name]])
  await uploads.delete(name)
})
