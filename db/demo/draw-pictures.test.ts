import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { drawPictures } from './draw-pictures.ts'

test('drawings go through the path of an upload, in a process that ends with them', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-draw-'))
  try {
    const pictures = await drawPictures({ names: ['side/K-101', 'produce/himsagar'], dataDir })
    expect([...pictures.keys()].toSorted()).toEqual(['produce/himsagar', 'side/K-101'])
    expect(pictures.get('side/K-101')).toMatchObject({ width: 800, height: 600, widths: [160, 320, 480, 800], isIllustration: true })
    expect(await readdir(path.join(dataDir, 'uploads'))).toHaveLength(16)
    await expect(drawPictures({ names: ['side/nobody'], dataDir })).rejects.toThrow('no such animal: nobody')
  } finally {
    await rm(dataDir, { recursive: true })
  }
})
