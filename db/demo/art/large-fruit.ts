// Pineapple, melon, coconut and the citrus family, drawn like the rest of the fruit.
import { ball, leaf, shine, type Drawing } from './fruit-parts.ts'
import { at, chance, line, oval, shape } from './sheet.ts'

export const pineapple: Drawing = (s) => {
  const clip = s.clip('<ellipse cy="30" rx="66" ry="88"/>')
  const lattice = [...Array(14).keys()]
    .map((i) => line(`M-110 ${-90 + i * 24}L110 ${10 + i * 24}M110 ${-90 + i * 24}L-110 ${10 + i * 24}`, '#a8641a', 3.5, 0.6))
    .join('')
  let eyes = ''
  for (let row = -6; row < 9; row++)
    for (let col = -4; col < 5; col++) eyes += oval(col * 26.4 + (row % 2 ? 13.2 : 0), 26 + row * 12, 2.6, 3.4, '#7b4a16', 'opacity=".7"')
  const crown = [
    [-62, 0.8],
    [62, 0.8],
    [-42, 0.95],
    [42, 0.95],
    [-22, 1.1],
    [22, 1.1],
    [0, 1.22],
    [-32, 0.7],
    [32, 0.7],
  ]
    .map(([turn, scale]) =>
      at(
        0,
        -46,
        shape(
          'M-13 0C-17 -34 -8 -66 0 -88C8 -66 17 -34 13 0Z',
          s.linear([
            [0, '#7db06a'],
            [1, '#2f6b39'],
          ]),
        ) + line('M0 -6V-70', '#cfe3a8', 2, 0.6),
        { turn, scale },
      ),
    )
    .join('')
  return (
    crown +
    oval(
      0,
      30,
      66,
      88,
      s.radial(
        [
          [0, '#ffd766'],
          [0.55, '#eda42e'],
          [1, '#a8641a'],
        ],
        0.36,
        0.28,
        0.8,
      ),
    ) +
    `<g clip-path="${clip}">${lattice}${eyes}</g>` +
    shine(-28, -14, 9, 28, 14, 0.4)
  )
}

export const watermelon: Drawing = (s) => {
  const clip = s.clip('<ellipse rx="112" ry="96"/>')
  const stripes = [-88, -52, -16, 20, 56, 92]
    .map(
      (x) =>
        `<path d="M${x} -100C${x * 1.5 - 16} -50 ${x * 1.5 + 12} -20 ${x * 1.46 - 6} 0S${x * 1.5 + 14} 60 ${x} 100L${x + 16} 100C${x * 1.5 + 30} 56 ${x * 1.5 + 8} 30 ${x * 1.46 + 18} 0S${x * 1.5 + 6} -56 ${x + 16} -100Z" fill="#1f5a2b" opacity=".85"/>`,
    )
    .join('')
  return (
    oval(
      0,
      0,
      112,
      96,
      s.radial(
        [
          [0, '#8cc268'],
          [0.6, '#4d933f'],
          [1, '#1f5428'],
        ],
        0.35,
        0.28,
        0.8,
      ),
    ) +
    `<g clip-path="${clip}">${stripes}</g>` +
    shine(-44, -46, 14, 30, 46, 0.4)
  )
}

export const watermelonSlice: Drawing = (s) =>
  shape('M-112 -20A112 112 0 0 0 112 -20Z', '#2f6f35') +
  shape('M-103 -20A103 100 0 0 0 103 -20Z', '#eaf2c6') +
  shape(
    'M-92 -20A92 88 0 0 0 92 -20Z',
    s.radial(
      [
        [0, '#f25a56'],
        [1, '#e03a45'],
      ],
      0.5,
      0.1,
      0.9,
    ),
  ) +
  [
    [-56, 2],
    [-28, 26],
    [0, 4],
    [28, 28],
    [56, 2],
    [-2, 46],
  ]
    .map(([x, y]) => oval(x!, y!, 4, 7, '#2b1d1a', `transform="rotate(${x! / 2} ${x} ${y})"`))
    .join('')

export const greenCoconut: Drawing = (s) =>
  shape(
    'M-14 -96C46 -104 92 -60 92 2C92 62 52 100 0 100C-54 100 -92 60 -90 0C-88 -52 -60 -92 -14 -96Z',
    s.radial(
      [
        [0, '#c5dd80'],
        [0.55, '#86b145'],
        [1, '#46702a'],
      ],
      0.35,
      0.28,
      0.8,
    ),
  ) +
  line('M-50 -60C-30 -20 -34 40 -46 72M34 -82C58 -30 58 30 40 84', '#4f7a2d', 4, 0.3) +
  shine(-40, -36, 12, 34, 24, 0.5) +
  shape('M-30 -90C-20 -104 22 -104 30 -88C20 -76 -20 -76 -30 -90Z', '#6b8a38')

export const openCoconut: Drawing = (s) =>
  greenCoconut(s) +
  oval(0, -74, 56, 24, '#e9e3b9') +
  oval(0, -75, 46, 18, '#fffdf2') +
  oval(
    0,
    -72,
    34,
    12,
    s.radial(
      [
        [0, '#eef6ee'],
        [1, '#b9cfc0'],
      ],
      0.4,
      0.3,
      0.8,
    ),
  ) +
  line('M12 -72L34 -150L58 -160', '#d2453f', 8) +
  line('M12 -72L34 -150', '#fff', 2, 0.5)

export function citrus(light: string, base: string, dark: string, squash = 0.95): Drawing {
  const random = chance(base)
  const pores = [...Array(30).keys()].map(() => oval(random(-50, 56), random(-46, 52), 1.8, 1.6, dark, 'opacity=".3"')).join('')
  return (s) =>
    ball(s, 78, light, base, dark, squash) +
    pores +
    shine(-30, -30, 11, 22, 42, 0.5) +
    oval(4, -70, 7, 5, '#5b7a34') +
    leaf(6, -72, -8, 0.9)
}

export function citrusHalf(rind: string, flesh: string, light: string): Drawing {
  return (s) =>
    oval(0, 0, 76, 74, rind) +
    oval(0, 0, 69, 67, '#fff6dd') +
    [...Array(9).keys()]
      .map((i) =>
        at(
          0,
          0,
          shape(
            'M0 -8C-14 -24 -20 -44 -15 -57C-8 -62 8 -62 15 -57C20 -44 14 -24 0 -8Z',
            s.radial(
              [
                [0, light],
                [1, flesh],
              ],
              0.5,
              0.2,
              0.9,
            ),
          ) + line('M-4 -28L-6 -48M4 -24L7 -44', light, 2, 0.7),
          { turn: i * 40 },
        ),
      )
      .join('')
}
