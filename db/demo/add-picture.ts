// node db/demo/add-picture.ts side/K-101 picture.png
// Adds a demo picture, or replaces it: encodes the AVIF files and describes them in pictures/pictures.json. Run oxfmt on that file.
import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { storeImageFiles } from '#features/catalog/media/images.server.ts'
import { openUploads, uploadsFolder } from '#lib/files/uploads.server.ts'
import { pictureFile, PICTURES_FILE, readPictures } from './pictures.ts'

async function addPicture(name: string, file: string): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-picture-'))
  try {
    const stored = await storeImageFiles(openUploads(uploadsFolder(dataDir)), await readFile(file), { isIllustration: true })
    if (!stored.ok) throw new Error(`${file}: ${stored.reason}`)
    const { token, width, height, widths, placeholder } = stored.picture
    await mkdir(path.dirname(pictureFile(name, width)), { recursive: true })
    for (const w of widths) await copyFile(path.join(dataDir, 'uploads', `${token}-${w}.avif`), pictureFile(name, w))
    const hash = createHash('sha256').update(await readFile(pictureFile(name, widths.at(-1)!)))
    const described = { token: hash.digest('hex').slice(0, 32), width, height, widths, placeholder, isIllustration: true }
    const pictures = readPictures().set(name, described)
    await writeFile(PICTURES_FILE, describe(pictures))
  } finally {
    await rm(dataDir, { recursive: true })
  }
}

function describe(pictures: ReturnType<typeof readPictures>): string {
  const sorted = [...pictures].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`
}

const [name = '', file = ''] = process.argv.slice(2)
if (!/^[\w-]+(\/[\w-]+)?$/.test(name) || file === '') throw new Error('Usage: node db/demo/add-picture.ts side/K-101 picture.png')
await addPicture(name, file)
