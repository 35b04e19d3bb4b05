// Where the animals stand: each fills 800 × 600 (or more), ground for hooves from y = 470 down, light from the left.
import { at, chance, line, oval, shape, type Sheet } from './sheet.ts'

export type Place = 'field' | 'pond' | 'haat' | 'shed' | 'yard' | 'cane'
export const PLACES: Place[] = ['field', 'yard', 'pond', 'haat', 'shed', 'cane']

export function place(s: Sheet, name: Place, seed: string, width = 800, height = 600): string {
  return { field, pond, haat, shed, yard, cane }[name](s, chance(`${name}${seed}`), width, height)
}

type Random = ReturnType<typeof chance>

function sky(s: Sheet, random: Random, w: number, h: number): string {
  const x = w * random(0.12, 0.32)
  return (
    `<rect width="${w}" height="${h}" fill="${s.linear([
      [0, '#cfe3dc'],
      [0.35, '#f3ecd2'],
      [0.62, '#fbdfae'],
    ])}"/>` +
    oval(
      x,
      h * 0.3,
      190,
      190,
      s.radial(
        [
          [0, '#fff9e2', 0.95],
          [1, '#fff3cf', 0],
        ],
        0.5,
        0.5,
        0.5,
      ),
    ) +
    oval(x, h * 0.3, 40, 40, '#fffbea') +
    [0, 1, 2]
      .map((i) => oval(w * random(0.3, 0.95), h * (0.1 + i * 0.07), random(60, 120), random(5, 9), '#fffaf0', 'opacity=".55"'))
      .join('')
  )
}

/** Treetops in one line, far away. */
function treeline(random: Random, w: number, y: number, height: number, colour: string): string {
  let d = `M0 ${y + 40}V${y}`
  for (let x = 0; x < w;) {
    const step = random(34, 84)
    d += `q${step / 2} ${-random(height * 0.5, height)} ${step} 0`
    x += step
  }
  return shape(`${d}V${y + 40}Z`, colour)
}

export function palm(x: number, y: number, height: number, colour: string, lean = 14): string {
  const fronds = [-170, -145, -115, -80, -45, -15, 10]
    .map(
      (angle) =>
        `<path transform="rotate(${angle})" d="M0 0C${height * 0.16} ${-height * 0.1} ${height * 0.34} ${-height * 0.06} ${height * 0.42} ${height * 0.1}C${height * 0.3} ${height * 0.02} ${height * 0.14} 0 0 ${height * 0.03}Z"/>`,
    )
    .join('')
  return at(
    x,
    y,
    `<g fill="${colour}"><path d="M-5 0C-3 ${-height * 0.5} ${lean * 0.4} ${-height * 0.8} ${lean} ${-height}L${lean + 5} ${-height}C${lean * 0.5 + 5} ${-height * 0.7} 5 ${-height * 0.4} 6 0Z"/>
    <g transform="translate(${lean + 2} ${-height})">${fronds}</g></g>`,
  )
}

function hut(s: Sheet, x: number, y: number, scale: number): string {
  return at(
    x,
    y,
    shape(
      'M-70 0V-52H70V0Z',
      s.linear([
        [0, '#d9b184'],
        [1, '#b98a5c'],
      ]),
    ) +
      shape('M-12 0V-38H14V0Z', '#6d4a30') +
      shape(
        'M-92 -48L-58 -100H58L92 -48Z',
        s.linear([
          [0, '#b8bfc0'],
          [1, '#8d989a'],
        ]),
      ) +
      line('M-74 -52L-46 -98M-40 -50L-24 -98M-6 -50L-2 -98M28 -50L20 -98M62 -50L42 -98', '#7b8688', 2, 0.6) +
      shape('M-46 -34h20v16h-20Z', '#6d4a30', 'opacity=".7"'),
    { scale },
  )
}

function grass(random: Random, w: number, from: number, to: number, colour: string, count: number): string {
  let d = ''
  for (let i = 0; i < count; i++) {
    const [x, y, tall] = [random(0, w), random(from, to), random(7, 14)]
    d += [-7, 0, 7]
      .map(
        (lean) =>
          `M${(x + lean * 0.4).toFixed(0)} ${y.toFixed(0)}q${lean * 0.2} ${(-tall * 0.6).toFixed(0)} ${lean} ${(lean ? -tall * 0.8 : -tall).toFixed(0)}`,
      )
      .join('')
  }
  return line(d, colour, 2.5, 0.45)
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

function straw(random: Random, w: number, from: number, to: number): string {
  let d = ''
  for (let i = 0; i < 60; i++)
    d += `M${random(0, w).toFixed(0)} ${random(from, to).toFixed(0)}l${random(-22, 22).toFixed(0)} ${random(-7, 7).toFixed(0)}`
  return line(d, '#f0d695', 3, 0.7)
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

/** A round flower of the floor drawings, one line, `size` across. */
export function alponaFlower(size: number, colour = '#fbf3e2'): string {
  const r = size / 2
  const ring = (count: number, from: number, to: number, wide: number) =>
    [...Array(count).keys()]
      .map(
        (i) =>
          `<path transform="rotate(${(i * 360) / count})" d="M0 ${-from}C${wide} ${-from - (to - from) * 0.4} ${wide * 0.8} ${-to + 2} 0 ${-to}C${-wide * 0.8} ${-to + 2} ${-wide} ${-from - (to - from) * 0.4} 0 ${-from}Z"/>`,
      )
      .join('')
  return `<g fill="none" stroke="${colour}" stroke-width="3.2" stroke-linejoin="round" opacity=".85"><circle r="${r * 0.12}"/>${size > 300 ? ring(16, r * 0.3, r * 0.58, r * 0.06) : ''}${ring(8, r * 0.2, r * 0.55, r * 0.14)}<circle r="${r * 0.62}"/>${ring(size > 300 ? 28 : 16, r * 0.68, r * 0.98, r * (size > 300 ? 0.07 : 0.12))}</g>`
}

export function alponaBand(w: number, y: number, colour = '#fbf3e2'): string {
  const count = Math.round(w / 50)
  const step = w / count
  const petals = [...Array(count + 1).keys()]
    .map(
      (i) =>
        `M${i * step} ${y + 20}C${i * step + step * 0.36} ${y + 8} ${i * step + step * 0.3} ${y - 14} ${i * step} ${y - 18}C${i * step - step * 0.3} ${y - 14} ${i * step - step * 0.36} ${y + 8} ${i * step} ${y + 20}`,
    )
    .join('')
  const waves = [...Array(count).keys()].map((i) => `M${i * step} ${y + 20}q${step / 2} -30 ${step} 0`).join('')
  return line(petals + waves, colour, 3, 0.8) + line(`M0 ${y + 25}H${w}`, colour, 3, 0.8)
}
