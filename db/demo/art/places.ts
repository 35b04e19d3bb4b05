// Where the animals stand: each fills 800 × 600 (or more), ground for hooves from y = 470 down, light from the left.
import { at, chance, line, oval, shape, type Sheet } from './sheet.ts'
import { alponaBand, alponaFlower } from './alpona.ts'
import { grass, hut, palm, type Random, sky, straw, treeline } from './scenery.ts'

export type Place = 'field' | 'pond' | 'haat' | 'shed' | 'yard' | 'cane'
export const PLACES: Place[] = ['field', 'yard', 'pond', 'haat', 'shed', 'cane']

export function place(s: Sheet, name: Place, seed: string, width = 800, height = 600): string {
  return { field, pond, haat, shed, yard, cane }[name](s, chance(`${name}${seed}`), width, height)
}

export function field(s: Sheet, random: Random, w: number, h: number): string {
  const y = h * 0.52
  return (
    sky(s, random, w, h) +
    treeline(random, w, y, 50, '#a9c4a4') +
    palm(w * random(0.7, 0.9), y + 6, 130, '#86a884') +
    palm(w * random(0.62, 0.95), y + 6, 96, '#8fae8b', -10) +
    hut(s, w * random(0.2, 0.5), y + 14, 0.62) +
    treeline(random, w, y + 16, 26, '#7da271') +
    `<rect y="${y + 14}" width="${w}" height="${h - y}" fill="${s.linear([
      [0, '#c3cf7c'],
      [0.3, '#93b75c'],
      [1, '#4f8742'],
    ])}"/>` +
    [0, 1, 2, 3]
      .map((i) => line(`M0 ${y + 36 + i * 16}Q${w / 2} ${y + 24 + i * 18} ${w} ${y + 38 + i * 15}`, '#e4dc92', 3, 0.5 - i * 0.1))
      .join('') +
    grass(random, w, y + 120, h, '#35683a', 46)
  )
}

export function pond(s: Sheet, random: Random, w: number, h: number): string {
  const y = h * 0.46
  return (
    sky(s, random, w, h) +
    treeline(random, w, y, 60, '#9dbd9c') +
    palm(w * 0.12, y + 8, 170, '#769c78') +
    palm(w * 0.2, y + 8, 130, '#82a682', -16) +
    palm(w * 0.9, y + 8, 150, '#769c78', -12) +
    hut(s, w * random(0.5, 0.72), y + 10, 0.7) +
    treeline(random, w, y + 12, 22, '#6f9767') +
    `<rect y="${y + 8}" width="${w}" height="${h * 0.26}" fill="${s.linear([
      [0, '#f2e2bb'],
      [0.4, '#b8d2c4'],
      [1, '#7fae9f'],
    ])}"/>` +
    [...Array(9).keys()]
      .map((i) => line(`M${random(0, w * 0.9).toFixed(0)} ${y + 22 + i * 12}h${random(40, 140).toFixed(0)}`, '#fff8e0', 3, 0.5))
      .join('') +
    oval(w * 0.8, y + 84, 34, 9, '#5f9460') +
    oval(w * 0.72, y + 96, 26, 7, '#6fa56a') +
    oval(w * 0.8, y + 78, 8, 7, '#f3a6b4') +
    shape(
      `M0 ${h * 0.68}Q${w * 0.4} ${h * 0.62} ${w} ${h * 0.69}V${h}H0Z`,
      s.linear([
        [0, '#a8bd66'],
        [0.3, '#7fa551'],
        [1, '#4a7f40'],
      ]),
    ) +
    grass(random, w, h * 0.72, h, '#33653a', 44)
  )
}

export function cane(s: Sheet, random: Random, w: number, h: number): string {
  const y = h * 0.7
  const stand = (count: number, base: number, tall: number, stem: string, leaf: string) =>
    [...Array(count).keys()]
      .map((i) => {
        const x = (i + random(0.1, 0.9)) * (w / count)
        const top = base - tall * random(0.84, 1.1)
        return (
          line(`M${x} ${base}L${x + random(-12, 12)} ${top}`, stem, 7) +
          [-1, 1, -1, 1]
            .map((side, k) =>
              line(
                `M${x} ${top + k * 26 - 10}q${side * random(20, 36)} ${-random(30, 60)} ${side * random(50, 92)} ${random(-6, 36)}`,
                leaf,
                5,
              ),
            )
            .join('')
        )
      })
      .join('')
  return (
    sky(s, random, w, h) +
    treeline(random, w, h * 0.4, 60, '#c3d3a2') +
    `<rect y="${h * 0.4 + 30}" width="${w}" height="${h * 0.4}" fill="${s.linear([
      [0, '#c3d3a2'],
      [1, '#6f9150'],
    ])}"/>` +
    stand(13, y, 330, '#a7b878', '#a9c48c') +
    stand(12, y + 16, 300, '#8c9d4f', '#77a35a') +
    stand(9, y + 26, 250, '#7d7a3c', '#57893f') +
    `<rect y="${y}" width="${w}" height="${h - y}" fill="${s.linear([
      [0, '#b98f57'],
      [0.2, '#cfa76c'],
      [1, '#a97c48'],
    ])}"/>` +
    [0, 1, 2].map((i) => line(`M0 ${y + 30 + i * 42}Q${w * 0.5} ${y + 20 + i * 44} ${w} ${y + 34 + i * 40}`, '#8f6538', 4, 0.35)).join('') +
    grass(random, w, y, y + 26, '#4d7a39', 40)
  )
}

export function haat(s: Sheet, random: Random, w: number, h: number): string {
  const y = h * 0.5
  const colours = ['#a8452a', '#e8862e', '#23693f', '#36489a', '#f6c51b']
  const stalls = [...Array(5).keys()]
    .map((i) => {
      const x = (i * w) / 5 + random(-10, 10)
      const colour = colours[(i + Math.floor(random(0, 5))) % 5]!
      return at(
        x,
        y + 20,
        shape('M10 0V-96M150 0V-96', 'none', 'stroke="#8a6238" stroke-width="7"') +
          shape(
            'M-4 -92Q80 -150 164 -92L172 -66Q156 -54 138 -66Q120 -54 102 -66Q84 -54 66 -66Q48 -54 30 -66Q12 -54 -12 -66Z',
            colour,
            'opacity=".82"',
          ) +
          shape('M8 -26H152V6H8Z', '#c99a63') +
          [0, 1, 2, 3, 4].map((k) => oval(30 + k * 26, -30, 14, 12, colours[(k + i) % 5]!, 'opacity=".8"')).join(''),
      )
    })
    .join('')
  const flags = [...Array(14).keys()]
    .map((i) => {
      const x = (i / 13) * w
      return shape(`M${x - 14} ${84 + Math.sin((i / 13) * 3.14) * 40}h28l-14 30Z`, colours[i % 5]!, 'opacity=".75"')
    })
    .join('')
  return (
    sky(s, random, w, h) +
    treeline(random, w, y - 20, 70, '#a9c4a4') +
    line(`M-20 76Q${w / 2} 172 ${w + 20} 76`, '#8a6238', 2) +
    flags +
    stalls +
    `<rect y="${y + 26}" width="${w}" height="${h - y}" fill="${s.linear([
      [0, '#d8b47c'],
      [0.3, '#dcba86'],
      [1, '#b98c58'],
    ])}"/>` +
    line(`M-10 ${y + 66}H${w + 10}`, '#a77b45', 11) +
    line(`M-10 ${y + 62}H${w + 10}`, '#d5ab6c', 3) +
    [0.06, 0.34, 0.63, 0.92]
      .map((k) => line(`M${w * k} ${y + 40}V${y + 130}`, '#94693a', 12) + line(`M${w * k - 3} ${y + 40}V${y + 130}`, '#c99d61', 3))
      .join('') +
    straw(random, w, y + 130, h)
  )
}

export function shed(s: Sheet, random: Random, w: number, h: number): string {
  const y = h * 0.66
  return (
    `<rect width="${w}" height="${h}" fill="${s.linear([
      [0, '#7d5c3c'],
      [0.5, '#b58a5b'],
      [1, '#caa06c'],
    ])}"/>` +
    shape(
      `M${w * 0.08} ${h * 0.2}h${w * 0.36}v${h * 0.34}h${-w * 0.36}Z`,
      s.linear([
        [0, '#e9f0da'],
        [0.55, '#fdf0cf'],
        [0.75, '#a9c67c'],
        [1, '#7ba65c'],
      ]),
    ) +
    palm(w * 0.36, h * 0.5, 90, '#86a884') +
    shape(
      `M${w * 0.58} ${h * 0.2}h${w * 0.36}v${h * 0.34}h${-w * 0.36}Z`,
      s.linear([
        [0, '#e9f0da'],
        [0.55, '#fdf0cf'],
        [0.75, '#a9c67c'],
        [1, '#7ba65c'],
      ]),
    ) +
    [0.08, 0.26, 0.44, 0.58, 0.76, 0.94].map((k) => line(`M${w * k} ${h * 0.2}V${h * 0.54}`, '#7a5733', 10)).join('') +
    line(`M0 ${h * 0.37}H${w}`, '#8a6540', 9) +
    shape(`M0 0H${w}V${h * 0.1}L0 ${h * 0.16}Z`, '#5b4530') +
    [...Array(11).keys()].map((i) => line(`M${(i * w) / 10} 0L${(i * w) / 10 - 18} ${h * 0.13}`, '#6d5439', 6)).join('') +
    [0, 0.5, 0.985]
      .map((k) => line(`M${w * k + 6} ${h * 0.1}V${y + 20}`, '#6b4a2b', 22) + line(`M${w * k} ${h * 0.1}V${y + 20}`, '#9c7345', 5))
      .join('') +
    shape(
      `M0 ${h * 0.55}H${w}V${y - 4}H0Z`,
      s.linear([
        [0, '#b98c5c'],
        [1, '#8f6a42'],
      ]),
    ) +
    shape(`M0 ${h * 0.55}H${w}v10H0Z`, '#d3ab77') +
    shape(`M${w * 0.1} 0L${w * 0.44} 0L${w} ${h}H${w * 0.34}Z`, '#fff2c8', 'opacity=".13"') +
    `<rect y="${y}" width="${w}" height="${h - y}" fill="${s.linear([
      [0, '#caa366'],
      [1, '#a97f48'],
    ])}"/>` +
    straw(random, w, y + 6, h) +
    straw(random, w, y + 30, h)
  )
}

/** A mud wall painted for a feast day, white on clay. */
export function yard(s: Sheet, random: Random, w: number, h: number): string {
  const y = h * 0.68
  return (
    `<rect width="${w}" height="${h}" fill="${s.linear([
      [0, '#c98d5c'],
      [0.6, '#c07f4d'],
      [1, '#a8683b'],
    ])}"/>` +
    oval(
      w * 0.25,
      h * 0.2,
      w * 0.5,
      h * 0.5,
      s.radial(
        [
          [0, '#ffe9bd', 0.5],
          [1, '#ffe9bd', 0],
        ],
        0.5,
        0.5,
        0.5,
      ),
    ) +
    shape(`M-20 0H${w + 20}V${h * 0.06}Q${w * 0.75} ${h * 0.115} ${w * 0.5} ${h * 0.1}T-20 ${h * 0.1}Z`, '#8d6a3a') +
    [...Array(40).keys()].map((i) => line(`M${(i * w) / 39} ${h * 0.05}l${random(-7, 7)} ${random(30, 44)}`, '#a9844e', 5)).join('') +
    at(w * 0.5, h * 0.335, alponaFlower(150), { scale: 0.86 }) +
    at(w * 0.12, h * 0.34, alponaFlower(90), { scale: 0.86 }) +
    at(w * 0.88, h * 0.34, alponaFlower(90), { scale: 0.86 }) +
    alponaBand(w, h * 0.6) +
    shape(`M0 ${h * 0.645}H${w}V${y}H0Z`, '#8f5731') +
    `<rect y="${y}" width="${w}" height="${h - y}" fill="${s.linear([
      [0, '#d9b483'],
      [0.35, '#d3aa75'],
      [1, '#b78b58'],
    ])}"/>` +
    straw(random, w, y + 20, h)
  )
}
