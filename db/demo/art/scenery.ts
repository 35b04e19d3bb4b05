// What places are made of: sky, trees, huts, grass and straw.
import { at, chance, line, oval, shape, type Sheet } from './sheet.ts'

export type Random = ReturnType<typeof chance>

export function sky(s: Sheet, random: Random, w: number, h: number): string {
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
export function treeline(random: Random, w: number, y: number, height: number, colour: string): string {
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

export function hut(s: Sheet, x: number, y: number, scale: number): string {
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

export function grass(random: Random, w: number, from: number, to: number, colour: string, count: number): string {
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

export function straw(random: Random, w: number, from: number, to: number): string {
  let d = ''
  for (let i = 0; i < 60; i++)
    d += `M${random(0, w).toFixed(0)} ${random(from, to).toFixed(0)}l${random(-22, 22).toFixed(0)} ${random(-7, 7).toFixed(0)}`
  return line(d, '#f0d695', 3, 0.7)
}
