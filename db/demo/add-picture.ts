// node db/demo/add-picture.ts side/K-101 picture.png
// Adds a demo picture, or replaces it: encodes the AVIF files and describes them in pictures/pictures.json. Run oxfmt on that file.
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { encodePicture, fileName } from '#features/catalog/media/images.server.ts'
import { pictureFile, PICTURES_FILE, readPictures } from './pictures.ts'

async function addPicture(name: string, file: string): Promise<void> {
  const encoded = await encodePicture(await readFile(file), { isIllustration: true })
  if (!encoded.ok) throw new Error(`${file}: ${encoded.reason}`)
  const { picture, files } = encoded
  const avif = (width: number) => files.get(fileName(picture, width, 'avif'))!
  await mkdir(path.dirname(pictureFile(name, picture.width)), { recursive: true })
  for (const width of picture.widths) await writeFile(pictureFile(name, width), avif(width))
  const hash = createHash('sha256').update(avif(picture.widths.at(-1)!))
  const described = { ...picture, token: hash.digest('hex').slice(0, 32) }
  await writeFile(PICTURES_FILE, describe(readPictures().set(name, described)))
}

function describe(pictures: ReturnType<typeof readPictures>): string {
  const sorted = [...pictures].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`
}

const [name = '', file = ''] = process.argv.slice(2)
if (!/^[\w-]+(\/[\w-]+)?$/.test(name) || file === '') throw new Error('Usage: node db/demo/add-picture.ts side/K-101 picture.png')
await addPicture(name, file)
