import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ArchiveWriter } from './archive-writer.server.ts'

it('an entry that is added after the file failed gives the reason of the file', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'khamar-archive-'))
  try {
    const archive = new ArchiveWriter(path.join(folder, 'missing/file'))
    await sleep(50)
    await expect(archive.add('manifest', Buffer.from('{}'))).rejects.toThrow('ENOENT')
    await archive.abort()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
