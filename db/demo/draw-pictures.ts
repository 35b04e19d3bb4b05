// Draws and keeps pictures in a process of its own, so that the shop neither waits for the encoder nor keeps its memory.
import { fork } from 'node:child_process'
import sharp from 'sharp'
import { storeImageFiles } from '#features/catalog/media/images.server.ts'
import type { Picture } from '#features/catalog/types.ts'
import { draw } from './art/pictures.ts'

interface Task {
  names: string[]
  dataDir: string
}

/** Keeps a picture for every name; throws when the drawing process ends before its work. */
export function drawPictures(task: Task): Promise<Map<string, Picture>> {
  const child = fork(import.meta.filename, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('message', (kept: [string, Picture][] | string) => {
      if (typeof kept === 'string') reject(new Error(`drawing the demo pictures failed: ${kept}`))
      else resolve(new Map(kept))
    })
    child.on('exit', (code, signal) => reject(new Error(`drawing the demo pictures ended early (${signal ?? code})`)))
    child.send(task)
  })
}

async function drawAll({ names, dataDir }: Task): Promise<[string, Picture][]> {
  const queue = [...names]
  const kept: [string, Picture][] = []
  const drawNext = async () => {
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) kept.push([name, await drawAndKeep(name, dataDir)])
  }
  await Promise.all([drawNext(), drawNext()])
  return kept
}

async function drawAndKeep(name: string, dataDir: string): Promise<Picture> {
  const png = await sharp(Buffer.from(draw(name)))
    .png({ compressionLevel: 1 })
    .toBuffer()
  // The first start waits for this: only what the home page shows first is worth a second thought, and a third.
  const effort = name.startsWith('hero') ? 3 : /^(side|produce)/.test(name) ? 1 : 0
  const kept = await storeImageFiles(dataDir, png, { isIllustration: true, effort })
  if (!kept.ok) throw new Error(`the drawing ${name} is refused: ${kept.reason}`)
  return kept.picture
}

if (import.meta.main) {
  process.on('disconnect', () => process.exit(1)) // nobody waits any more
  process.once('message', async (task: Task) => {
    process.send!(await drawAll(task).catch((error: Error) => error.message), () => process.exit(0))
  })
}
