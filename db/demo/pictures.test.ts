import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { uploadsFolder } from '#lib/files/uploads.server.ts'
import { PICTURE_WIDTHS } from '#features/catalog/media/images.server.ts'
import { CATTLE } from './cattle.ts'
import { HERO_PICTURES, pictureFile, PICTURES_DIR, picturesOfAnimal, picturesOfProduce, POPUP_PICTURE, readPictures } from './pictures.ts'
import { PRODUCE } from './produce.ts'
import { storePictures } from './store-pictures.ts'

const pictures = readPictures()

test('every picture that the demo shows exists, and no other', () => {
  const shown = new Set([
    ...CATTLE.flatMap(picturesOfAnimal),
    ...PRODUCE.flatMap(({ art }) => picturesOfProduce(art)),
    POPUP_PICTURE,
    ...Object.values(HERO_PICTURES),
  ])
  expect([...pictures.keys()].toSorted()).toEqual([...shown].toSorted())
})

test('pictures.json describes the files: widths, size, token', async () => {
  const files: string[] = []
  for (const [name, { token, width, height, widths, placeholder }] of pictures) {
    const largest = pictureFile(name, widths.at(-1)!)
    const size = await sharp(largest).metadata()
    expect([name, size.width, size.height]).toEqual([name, width, height])
    expect([name, widths]).toEqual([name, PICTURE_WIDTHS.filter((w) => w <= width)])
    expect([name, token]).toEqual([name, createHash('sha256').update(readFileSync(largest)).digest('hex').slice(0, 32)])
    expect(placeholder).toMatch(/^linear-gradient\((#[0-9a-f]{6},?){4}\)$/)
    files.push(...widths.map((w) => path.relative(PICTURES_DIR, pictureFile(name, w))))
  }
  expect(globSync('**/*.avif', { cwd: PICTURES_DIR }).toSorted()).toEqual(files.toSorted())
})

test('pictures and videos take at most 4 MB of the repository', () => {
  const files = globSync(['pictures/**/*.avif', 'videos/*.mp4'], { cwd: import.meta.dirname })
  const bytes = files.map((file) => readFileSync(path.join(import.meta.dirname, file)).length)
  expect(bytes.reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(4_000_000)
})

test('a child process stores each picture as AVIF and WebP in all widths, and again over the same files', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-demo-pictures-'))
  try {
    const two = [...pictures].filter(([name]) => ['side/K-101', 'produce/himsagar'].includes(name))
    for (let time = 1; time <= 2; time++) {
      await storePictures({ pictures: two, uploads: uploadsFolder(dataDir) })
      const files = two.flatMap(([, { token, widths }]) => widths.flatMap((w) => [`${token}-${w}.avif`, `${token}-${w}.webp`]))
      expect((await readdir(path.join(dataDir, 'uploads'))).toSorted()).toEqual(files.toSorted())
    }
    for (const [name, { token, widths }] of two)
      for (const width of widths) {
        const stored = (format: string) => path.join(dataDir, 'uploads', `${token}-${width}.${format}`)
        expect((await readFile(stored('avif'))).equals(await readFile(pictureFile(name, width)))).toBe(true)
        const webp = await sharp(stored('webp')).metadata()
        expect([webp.format, webp.width, webp.height]).toEqual(['webp', width, width * 0.75])
      }
    const missing = new Map(pictures).get('side/K-101')!
    await expect(storePictures({ pictures: [['side/none', missing]], uploads: uploadsFolder(dataDir) })).rejects.toThrow(
      /^storing the demo pictures failed: ENOENT.*none-\d+\.(avif|webp)/,
    )
  } finally {
    await rm(dataDir, { recursive: true })
  }
})
