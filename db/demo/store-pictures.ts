// Stores the demo pictures in a child process: the image library's memory ends with it, and the server's event loop stays free.
import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { storeEncodedImageFiles } from '#features/catalog/media/images.server.ts'
import type { Picture } from '#features/catalog/types.ts'
import { openUploads, type Uploads, type UploadsPlace } from '#lib/files/uploads.server.ts'
import { pictureFile } from './pictures.ts'

interface Task {
  /** Pictures by name. */
  pictures: [string, Picture][]
  uploads: UploadsPlace
}

/** The fastest setting: the first start waits for it, and most browsers load the AVIF files. */
const WEBP_EFFORT = 0

/** Writes the AVIF and WebP files of all pictures to the uploads. Throws when the child process fails or ends early. */
export function storePictures(task: Task): Promise<void> {
  const child = fork(import.meta.filename, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('message', (failure: string | null) => {
      if (failure === null) resolve()
      else reject(new Error(`storing the demo pictures failed: ${failure}`))
      // Its files are written. `process.exit` was seen to wait for a thread without end.
      child.kill('SIGKILL')
    })
    child.on('exit', (code, signal) => reject(new Error(`storing the demo pictures ended early (${signal ?? code})`)))
    child.send(task)
  })
}

async function storeAll({ pictures, uploads: place }: Task): Promise<void> {
  const { default: sharp } = await import('sharp')
  // One thread per picture and one picture per core is faster than several threads for each small picture.
  sharp.concurrency(1)
  const uploads = openUploads(place)
  const queue = [...pictures]
  const storeNext = async (): Promise<void> => {
    for (let next = queue.pop(); next; next = queue.pop()) await storeOne(...next, uploads)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, storeNext))
}

async function storeOne(name: string, { token, widths }: Picture, uploads: Uploads): Promise<void> {
  const files = await Promise.all(widths.map(async (width) => [width, await readFile(pictureFile(name, width))] as const))
  await storeEncodedImageFiles(uploads, token, new Map(files), { effort: WEBP_EFFORT })
}

if (import.meta.main) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL')) // The parent process has ended.
  process.once('message', async (task: Task) => {
    const failure = await storeAll(task).then(
      () => null,
      (error: Error) => error.message,
    )
    process.send!(failure)
  })
}
