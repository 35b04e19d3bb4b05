// Draws the shop's sign into public/: run `node db/demo/art/draw-icons.ts` after changing it, and commit the files.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { alponaBand, alponaFlower } from './alpona.ts'
import { hero } from './posters.ts'
import { at, sheet } from './sheet.ts'

const LEAF = '#16452c'
const TAG = '#f6c51b'
const folder = path.resolve(import.meta.dirname, '../../../public')

const half =
  'M49 41C43 40 38 41 35 44C22 45 13 34 16 17C8 30 10 43 21 50C14 51 8 55 4 61C12 67 25 66 33 59C34 68 38 74 39 80C40 88 45 90 50 90'
/** A bull's head from the front, 100 × 100. */
const head = `<path d="${half}H50.4V41Z"/><path transform="matrix(-1 0 0 1 100 0)" d="${half}H50.4V41Z"/>`

/** The ear tag with the head on it, 100 × 100, slightly tilted. */
function sign(): string {
  return `<g transform="rotate(-6 50 50)"><path d="M36 14L44 5Q50 -1 56 5L64 14H80Q92 14 92 26V84Q92 96 80 96H20Q8 96 8 84V26Q8 14 20 14ZM50 9A5.4 5.4 0 1 0 50 19.8A5.4 5.4 0 1 0 50 9Z" fill-rule="evenodd" fill="${TAG}"/>
    <g transform="translate(9 17.5) scale(.82)" fill="${LEAF}">${head}</g>
    <g fill="${TAG}"><ellipse cx="44.8" cy="84.4" rx="2.1" ry="1.6"/><ellipse cx="55.2" cy="84.4" rx="2.1" ry="1.6"/></g></g>`
}

const icon = (inner: string, background = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="512" height="512">${background}${inner}</svg>`
const onLeaf = (scale: number, corner = 0) =>
  icon(
    `<g transform="translate(${50 - 50 * scale} ${50 - 50 * scale}) scale(${scale})">${sign()}</g>`,
    `<rect width="100" height="100" rx="${corner}" fill="${LEAF}"/>`,
  )

function shareCard(): string {
  const s = sheet(1200, 630)
  const panel = `<path d="M0 0H470C430 200 430 430 470 630H0Z" fill="${LEAF}"/>`
  return s.svg(
    at(
      0,
      0,
      hero(true)
        .replace(/<svg[^>]*>/, '<g transform="scale(1.02)">')
        .replace('</svg>', '</g>')
        .replaceAll(/\bd(\d+)\b(?=["')])/g, 'h$1'),
    ) +
      panel +
      `<g opacity=".35">${at(215, 315, alponaFlower(470))}</g>` +
      at(90, 182, sign(), { scale: 2.5 }),
  )
}

const band = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="56" viewBox="0 0 600 56">${alponaBand(600, 26, '#fff')}</svg>`
const flower = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="240" viewBox="-120 -120 240 240">${alponaFlower(232, '#fff')}</svg>`

const png = (svg: string, size: number) =>
  sharp(Buffer.from(svg), { density: 72 }).resize(size, size).png({ compressionLevel: 9, palette: true }).toBuffer()

const files: Record<string, string | Buffer> = {
  'logo.svg': icon(sign()),
  'logo.png': await png(icon(sign()), 512),
  'favicon.svg': icon(sign()),
  'icons/apple-touch-icon.png': await png(onLeaf(0.78), 180),
  'icons/icon-192.png': await png(onLeaf(0.8, 20), 192),
  'icons/icon-512.png': await png(onLeaf(0.8, 20), 512),
  'icons/icon-maskable-512.png': await png(onLeaf(0.62), 512),
  'alpona-band.svg': band,
  'alpona-flower.svg': flower,
  'icons/og.png': await sharp(Buffer.from(shareCard())).png({ compressionLevel: 9, palette: true, quality: 90 }).toBuffer(),
}
await mkdir(path.join(folder, 'icons'), { recursive: true })
for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content)
