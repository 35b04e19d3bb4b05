// Fruit that hangs on a tree in numbers: one of each, about 200 across around (0, 0), light from the upper left.
import { ball, leaf, shine, type Drawing } from './fruit-parts.ts'
import { at, chance, line, oval, shape } from './sheet.ts'

export function mango(light: string, base: string, dark: string, blush: string): Drawing {
  const body = 'M-14 -86C40 -96 92 -52 92 4C92 60 40 92 -16 92C-64 92 -100 70 -98 46C-96 28 -72 22 -62 -10C-54 -40 -52 -78 -14 -86Z'
  return (s) =>
    shape(
      body,
      s.radial(
        [
          [0, light],
          [0.5, base],
          [1, dark],
        ],
        0.4,
        0.3,
        0.8,
      ),
    ) +
    shape(
      body,
      s.radial(
        [
          [0, blush, 0.75],
          [0.8, blush, 0],
        ],
        0.72,
        0.22,
        0.6,
      ),
    ) +
    shine(-14, -40, 9, 32, 24) +
    shine(6, -62, 6, 10, 40, 0.4) +
    line('M4 -88C6 -98 12 -106 20 -110', '#6b4a2b', 7) +
    leaf(14, -104, -8, 1, '#3c7a3a')
}

export const jackfruit: Drawing = (s) => {
  const random = chance('jackfruit')
  const clip = s.clip('<ellipse rx="84" ry="116"/>')
  let knobs = ''
  for (let row = -9; row <= 9; row++) {
    for (let col = -7; col <= 7; col++) {
      const [x, y] = [col * 13 + (row % 2 ? 6.5 : 0) + random(-1.5, 1.5), row * 13 + random(-1.5, 1.5)]
      knobs += oval(x, y, 5.6, 5.6, '#d3cf6e', 'opacity=".85"') + oval(x + 2, y + 2.4, 5, 5, '#7f8a2e', 'opacity=".32"')
    }
  }
  return (
    line('M0 -112C-2 -128 4 -140 10 -146', '#6b5a2b', 13) +
    oval(
      0,
      0,
      84,
      116,
      s.radial(
        [
          [0, '#c9c862'],
          [0.6, '#a3a544'],
          [1, '#616a24'],
        ],
        0.35,
        0.25,
        0.85,
      ),
    ) +
    `<g clip-path="${clip}">${knobs}${oval(
      48,
      30,
      60,
      120,
      s.radial(
        [
          [0, '#2b3210', 0.5],
          [1, '#2b3210', 0],
        ],
        0.6,
        0.5,
        0.5,
      ),
    )}</g>` +
    leaf(8, -132, -4, 1.1, '#3f7a38')
  )
}

export const jackBulb: Drawing = (s) =>
  shape(
    'M0 -44C26 -40 36 -4 28 24C20 46 -20 46 -28 24C-36 -4 -24 -40 0 -44Z',
    s.radial([
      [0, '#ffe69a'],
      [0.6, '#f7c33c'],
      [1, '#d4941c'],
    ]),
  ) +
  shape('M0 -44C10 -30 8 -10 0 0C-8 -10 -10 -30 0 -44Z', '#c98a18', 'opacity=".5"') +
  shine(-12, 4, 5, 16, 8)

export const litchi: Drawing = (s) => {
  let scales = ''
  for (let row = -3; row <= 3; row++)
    for (let col = -3; col <= 3; col++) {
      const [x, y] = [col * 13 + (row % 2 ? 6 : 0), row * 12]
      if (x * x + y * y < 36 * 36)
        scales += oval(x, y, 4.4, 4, '#f2838a', 'opacity=".6"') + oval(x + 2, y + 2.5, 4, 3.4, '#7d1226', 'opacity=".25"')
    }
  return ball(s, 44, '#f0747b', '#cf3346', '#8c1430', 1.04) + scales + shine(-16, -18, 7, 10, 40, 0.35)
}

export const litchiOpen: Drawing = (s) =>
  ball(s, 42, '#ffffff', '#f2eee6', '#cfc6bc') +
  shape('M-43 8C-44 36 -22 50 0 50C24 50 44 34 43 8C34 20 24 10 12 18C0 26 -10 12 -22 20C-32 24 -38 18 -43 8Z', '#cf3346') +
  shine(-14, -16, 7, 12, 40, 0.9)

export const guava: Drawing = (s) =>
  ball(s, 78, '#e2eea0', '#b5cf63', '#748f35', 0.97) +
  shape('M-14 68C-8 60 8 60 14 68L8 80H-8Z', '#6f7f3a') +
  shine(-30, -34, 10, 24, 40) +
  line('M0 -76V-92', '#6b5a2b', 7) +
  leaf(2, -88, -10, 0.95)

export const guavaHalf: Drawing = (s) =>
  oval(0, 0, 78, 75, '#a9c45a') +
  oval(0, 0, 72, 69, '#fdf6df') +
  oval(
    0,
    0,
    50,
    47,
    s.radial(
      [
        [0, '#f7a9a0'],
        [1, '#fbd3c5'],
      ],
      0.5,
      0.5,
      0.6,
    ),
  ) +
  [...Array(16).keys()].map((i) => at(0, 0, oval(0, -30 - (i % 3) * 5, 3.4, 4.6, '#efe2b0'), { turn: i * 22.5 })).join('') +
  [...Array(8).keys()].map((i) => at(0, 0, oval(0, -14, 3.2, 4, '#efe2b0'), { turn: i * 45 })).join('')

export const papaya: Drawing = (s) => {
  const body = 'M-20 -112C20 -120 56 -70 66 -6C76 62 44 112 0 114C-46 114 -76 62 -66 -6C-58 -60 -50 -104 -20 -112Z'
  return (
    shape(
      body,
      s.linear(
        [
          [0, '#8fae45'],
          [0.35, '#e6b83f'],
          [0.7, '#ef9a35'],
          [1, '#c9712a'],
        ],
        80,
      ),
    ) +
    shape(
      body,
      s.radial(
        [
          [0, '#fff2b8', 0.5],
          [1, '#7a3f10', 0.35],
        ],
        0.32,
        0.3,
        0.9,
      ),
    ) +
    shine(-30, -20, 8, 40, 6, 0.5) +
    line('M-6 -112L-4 -126', '#6b7a35', 10)
  )
}

export const papayaHalf: Drawing = (s) => {
  const random = chance('papaya')
  const seeds = [...Array(30).keys()]
    .map((i) => oval(random(-19, 19), -56 + i * 4.2, 6, 6, '#2b2622') + oval(random(-16, 12), -58 + i * 4.2, 2, 2, '#7b736a'))
    .join('')
  return (
    shape('M-16 -112C20 -118 54 -70 64 -6C74 62 42 112 0 114C-44 114 -74 62 -64 -6C-56 -60 -46 -104 -16 -112Z', '#d98b2c') +
    shape(
      'M-14 -104C16 -110 48 -66 57 -6C66 58 38 104 0 106C-38 106 -66 58 -57 -6C-50 -56 -40 -98 -14 -104Z',
      s.radial(
        [
          [0, '#f9793f'],
          [1, '#f5a04a'],
        ],
        0.5,
        0.55,
        0.6,
      ),
    ) +
    shape('M-6 -76C14 -74 30 -30 32 6C34 50 16 78 0 80C-16 78 -34 50 -32 6C-30 -30 -20 -74 -6 -76Z', '#c9502a') +
    seeds
  )
}

/** A hand of bananas hanging from its stalk; `wide` makes them short and plump. */
export function bananas(light: string, base: string, dark: string, wide: number): Drawing {
  const length = 168 - wide * 4
  const one = `M${-10 - wide * 0.4} 0C${-22 - wide} ${length * 0.5} ${4 - wide * 0.4} ${length * 0.9} ${72 - wide} ${length}C${84 - wide} ${length + 2} ${88 - wide} ${length - 10} ${80 - wide} ${length - 16}
    C${44 + wide * 0.4} ${length * 0.8} ${26 + wide} ${length * 0.42} ${15 + wide * 0.4} 0Z`
  return (s) => {
    const skin = s.linear(
      [
        [0, light],
        [0.45, base],
        [1, dark],
      ],
      160,
    )
    return (
      [30, 8, -14, -36, -58]
        .map((turn, i) =>
          at(
            0,
            -92,
            shape(one, skin) +
              line(`M2 14C-2 ${length * 0.46} ${20 - wide * 0.3} ${length * 0.8} ${66 - wide} ${length - 8}`, dark, 3, 0.5) +
              shape(`M${70 - wide} ${length - 6}l16 -12l6 10l-16 10Z`, '#5a4523'),
            { turn: turn - 6, scale: 1 - i * 0.02 },
          ),
        )
        .join('') +
      shape('M-26 -104C-10 -118 24 -116 32 -96C26 -70 2 -62 -14 -70C-24 -78 -28 -94 -26 -104Z', '#a99a35') +
      line('M2 -106C0 -122 4 -134 12 -142', '#7d7a30', 17)
    )
  }
}
