// The large pictures: what the home page opens with, and the poster over it.
import { cowSide, type CowLook } from './cow-side.ts'
import * as crops from './crops.ts'
import * as fruit from './fruit.ts'
import * as large from './large-fruit.ts'
import { alponaFlower } from './alpona.ts'
import { field } from './places.ts'
import { at, chance, line, oval, shape, sheet, type Sheet } from './sheet.ts'

/** Own cane, own cattle, own fruit in morning light; quiet at the upper left, where the page puts its words. */
export function hero(wide: boolean): string {
  const [w, h] = wide ? [1200, 620] : [900, 1000]
  const s = sheet(w, h)
  const cow = (x: number, hooves: number, scale: number, look: CowLook, flip = false) =>
    at(x, hooves - 540 * scale, oval(372, 540, 270, 20, '#2a2010', 'opacity=".26"') + cowSide(s, { ...look, mirrored: flip }), {
      scale,
      flip,
    })
  const base = h - 30
  const far: CowLook[] = [
    { coat: 'white', seed: 'h1', hump: 0.6, head: 10 },
    { coat: 'grey', seed: 'h2', hump: 0.9, dewlap: 0.8, head: -3 },
  ]
  const near: CowLook = { coat: 'red', tag: 'K-108', hump: 0.7, horns: 0.7, dewlap: 0.7, head: 2, garland: true }
  const animals = wide
    ? cow(120, base - 168, 0.3, far[0]!) + cow(196, base - 96, 0.46, far[1]!) + cow(420, base - 16, 0.84, near)
    : cow(-10, base - 352, 0.4, far[0]!) + cow(-60, base - 260, 0.54, far[1]!) + cow(96, base - 150, 1, near)
  const basket = wide ? at(1000, base - 40, harvest(s), { scale: 0.66 }) : at(600, base - 60, harvest(s), { scale: 0.98 })
  return s.svg(field(s, chance('hero'), w, h) + canes(s, w, h * 0.58, wide) + animals + basket)
}

/** A stand of cane that frames the right side. */
function canes(s: Sheet, w: number, ground: number, wide: boolean): string {
  const random = chance('canes')
  const tall = wide ? 400 : 560
  const greens = ['#4f8640', '#6a9e4d', '#86b565', '#a3c67c']
  const stalk = (x: number, top: number, shade: number) =>
    at(x, ground + 46, crops.caneStem(s, ground + 46 - top, '#c3bd78', shade ? '#7d8a44' : '#8d6a52', shade ? '#56652d' : '#5a3d35', 11), {
      turn: -90 + random(-3, 3),
    }) +
    [...Array(11).keys()]
      .map((k) => {
        // Long narrow blades that rise, arch over and hang.
        const [side, reach, rise, drop] = [k % 2 ? 1 : -1, random(70, 160), random(50, 96), random(-10, 90)]
        return shape(
          `M${x} ${top - 6 + k * 14}q${side * reach * 0.45} ${-rise} ${side * reach} ${drop}q${-side * reach * 0.5} ${-rise - drop + 16} ${-side * reach} ${-drop + 13}Z`,
          greens[(k + shade) % 4]!,
        )
      })
      .join('')
  const rows = [...Array(18).keys()].map((i) =>
    stalk(w + 10 - i * (wide ? 21 : 19) - random(0, 14), ground - tall * random(0.66, 0.98) + i * 9, i % 3 ? 1 : 0),
  )
  return oval(w - 130, ground + 46, 260, 20, '#2f5a34', 'opacity=".55"') + rows.join('')
}

/** A full basket with a pineapple and a melon beside it. */
function harvest(s: Sheet): string {
  const mango = fruit.mango('#ffe27a', '#f3b93a', '#c07a1f', '#e9772f')
  const weave = [...Array(5).keys()]
    .flatMap((row) =>
      [...Array(9).keys()].map(
        (col) =>
          `<rect x="${-166 + col * 37}" y="${-2 + row * 21 - Math.abs(4 - col) * 4}" width="38" height="20" rx="7" fill="${(row + col) % 2 ? '#d9a862' : '#b9823f'}"/>`,
      ),
    )
    .join('')
  const clip = s.clip('<path d="M-160 -6C-110 30 110 30 160 -6L132 86C90 104 -90 104 -132 86Z"/>')
  return (
    oval(30, 88, 270, 26, '#2a2010', 'opacity=".28"') +
    at(196, 4, large.watermelon(s), { scale: 0.9 }) +
    at(-50, -92, large.pineapple(s), { scale: 0.95, turn: -14 }) +
    at(50, -78, large.pineapple(s), { scale: 0.9, turn: 16 }) +
    at(-96, -34, mango(s), { scale: 0.6, turn: -12 }) +
    at(100, -34, mango(s), { scale: 0.6, turn: 16 }) +
    at(4, -40, mango(s), { scale: 0.64 }) +
    at(-48, -14, fruit.guava(s), { scale: 0.52 }) +
    at(56, -12, large.citrus('#ffd27a', '#f09a2e', '#b5621a')(s), { scale: 0.56 }) +
    `<g clip-path="${clip}"><rect x="-170" y="-20" width="340" height="140" fill="#8a5c2c"/>${weave}</g>` +
    line('M-160 -8C-110 28 110 28 160 -8', '#a8712f', 15) +
    line('M-158 -11C-110 24 110 24 158 -11', '#e0b26c', 5) +
    at(-206, 44, fruit.jackfruit(s), { scale: 0.56, turn: 76 }) +
    at(262, 66, large.watermelonSlice(s), { scale: 0.44, turn: -8 })
  )
}

/** A bull with marigolds before the white floor drawing, on the shop's green. */
export function popup(): string {
  const s = sheet(800, 600)
  const cow =
    oval(372, 540, 270, 20, '#0b2416', 'opacity=".5"') +
    cowSide(s, { coat: 'white', seed: 'popup', hump: 0.9, horns: 0.7, dewlap: 0.9, head: 0, garland: true, tag: 'K-108' })
  const moon = shape('M0 -46A46 46 0 1 0 40 22A38 38 0 1 1 0 -46Z', '#fdf3d6')
  return s.svg(
    `<rect width="800" height="600" fill="${s.radial(
      [
        [0, '#2f7a4a'],
        [1, '#123a25'],
      ],
      0.5,
      0.4,
      0.75,
    )}"/>` +
      at(400, 262, alponaFlower(480)) +
      at(96, 100, moon) +
      `<g opacity=".4">${at(772, 60, alponaFlower(190))}${at(10, 420, alponaFlower(170))}</g>` +
      shape(
        'M0 520Q400 496 800 520V600H0Z',
        s.linear([
          [0, '#d9b483'],
          [1, '#b78b58'],
        ]),
      ) +
      at(52, 16, cow, { scale: 0.98 }),
  )
}
