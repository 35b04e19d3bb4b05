import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { drawBarcode } from '#lib/codes/barcode.server.ts'

const [WIDTH, HEIGHT] = [640, 480]

/** Writes a video (YUV4MPEG2) of a barcode held still before a camera, for Chromium's `--use-file-for-fake-video-capture`. */
export async function recordBarcode(path: string, text: string): Promise<void> {
  const { width, path: bars } = await drawBarcode(text)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width * 4}" height="160" viewBox="0 0 ${width} 1" preserveAspectRatio="none"><path d="${bars}"/></svg>`
  const grey = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#ddd' } })
    .composite([{ input: Buffer.from(svg) }])
    .toColourspace('b-w')
    .raw()
    .toBuffer()
  const colourless = Buffer.alloc((WIDTH * HEIGHT) / 2, 128)
  const frame = Buffer.concat([Buffer.from('FRAME\n'), grey, colourless])
  await writeFile(
    path,
    Buffer.concat([Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`), ...Array.from({ length: 10 }, () => frame)]),
  )
}
