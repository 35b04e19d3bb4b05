// What grows in the field, and what is boiled from the cane.
import { shine, type Drawing } from './fruit-parts.ts'
import { at, chance, line, oval, shape, type Sheet } from './sheet.ts'

export const potato: Drawing = (s) => {
  const random = chance('potato')
  return (
    shape(
      'M-84 4C-86 -40 -46 -62 0 -58C50 -56 88 -34 86 8C84 46 42 62 -4 60C-50 58 -82 44 -84 4Z',
      s.radial(
        [
          [0, '#ecd09a'],
          [0.55, '#cfa868'],
          [1, '#8d6a3a'],
        ],
        0.35,
        0.25,
        0.85,
      ),
    ) +
    [...Array(9).keys()].map(() => oval(random(-60, 64), random(-36, 42), random(3, 6), 2.4, '#7d5a2d', 'opacity=".5"')).join('') +
    shine(-34, -28, 9, 22, 60, 0.4)
  )
}

export const onion: Drawing = (s) =>
  shape(
    'M0 -92C8 -64 30 -56 56 -38C92 -12 86 56 36 76C14 84 -14 84 -36 76C-86 56 -92 -12 -56 -38C-30 -56 -8 -64 0 -92Z',
    s.radial(
      [
        [0, '#e8a0a8'],
        [0.5, '#b95a72'],
        [1, '#6f2a46'],
      ],
      0.35,
      0.35,
      0.8,
    ),
  ) +
  line(
    'M0 -70C-50 -30 -66 30 -22 76M0 -70C50 -30 66 30 22 76M0 -70V80M-8 -60C-76 -20 -84 36 -40 72M8 -60C76 -20 84 36 40 72',
    '#7d2f4c',
    2.6,
    0.5,
  ) +
  shine(-34, -4, 8, 26, 16, 0.5) +
  line('M-8 84l-6 10M0 84v12M8 84l6 10', '#cbb28a', 3)

export const eggplant: Drawing = (s) =>
  shape(
    'M0 -64C46 -70 86 -34 88 20C90 70 48 96 0 96C-48 96 -90 70 -88 20C-86 -34 -46 -70 0 -64Z',
    s.radial(
      [
        [0, '#a96fc4'],
        [0.5, '#6a2f87'],
        [1, '#35143f'],
      ],
      0.34,
      0.3,
      0.8,
    ),
  ) +
  shine(-36, -4, 9, 34, 20, 0.5) +
  shape('M-46 -54C-20 -78 20 -78 46 -54C34 -46 26 -40 22 -26C10 -44 -4 -44 -10 -24C-18 -40 -32 -44 -46 -54Z', '#5b8a3c') +
  line('M0 -68C2 -84 8 -92 16 -98', '#5b8a3c', 13)

export const carrot: Drawing = (s) =>
  [-26, 0, 24]
    .map((turn) =>
      at(
        0,
        -92,
        line('M0 0C-4 -30 2 -46 0 -64', '#4f8a3f', 6) +
          [-1, 1, -1, 1, -1, 1]
            .map((side, i) =>
              oval(side * 11, -24 - i * 8, 13, 6, '#5f9c49', `transform="rotate(${side * -30} ${side * 11} ${-24 - i * 8})"`),
            )
            .join(''),
        { turn },
      ),
    )
    .join('') +
  shape(
    'M-36 -84C-20 -100 20 -100 36 -84C40 -30 22 60 4 112C2 118 -4 118 -6 112C-24 60 -42 -30 -36 -84Z',
    s.linear(
      [
        [0, '#ffb35c'],
        [0.5, '#f0862e'],
        [1, '#c2591a'],
      ],
      0,
    ),
  ) +
  line('M-30 -58h22M10 -36h20M-24 -8h20M8 18h14M-14 44h12', '#b9541a', 3, 0.55) +
  shine(-18, -48, 5, 26, 4, 0.45)

/** A length of cane lying along x, `length` long. */
export function caneStem(s: Sheet, length: number, light: string, base: string, dark: string, wide = 30): string {
  const skin = s.linear([
    [0, light],
    [0.4, base],
    [1, dark],
  ])
  let joints = ''
  for (let x = 40; x < length - 12; x += 74)
    joints +=
      shape(`M${x} ${-wide / 2 - 2}q7 ${wide / 2 + 2} 0 ${wide + 4}h9q7 ${-wide / 2 - 2} 0 ${-wide - 4}Z`, dark) +
      line(`M${x + 13} ${-wide / 2}q6 ${wide / 2} 0 ${wide}`, '#f0e6c0', 2.4, 0.7)
  return (
    `<rect x="0" y="${-wide / 2}" width="${length}" height="${wide}" rx="5" fill="${skin}"/>` +
    joints +
    `<rect x="6" y="${-wide * 0.34}" width="${length - 12}" height="${wide * 0.13}" rx="2" fill="#fff" opacity=".3"/>` +
    oval(length, 0, wide * 0.26, wide / 2, '#f4ecc4') +
    oval(length, 0, wide * 0.17, wide * 0.36, '#e3d79c')
  )
}

export const gurDisc: Drawing = (s) =>
  shape(
    'M-92 -10C-92 -34 -52 -48 0 -48S92 -34 92 -10V20C92 44 52 58 0 58S-92 44 -92 20Z',
    s.linear([
      [0, '#b5722c'],
      [0.3, '#a8642a'],
      [1, '#6a3914'],
    ]),
  ) +
  oval(
    0,
    -10,
    92,
    38,
    s.radial(
      [
        [0, '#e0a254'],
        [1, '#b9762f'],
      ],
      0.35,
      0.25,
      0.9,
    ),
  ) +
  oval(-14, -16, 50, 16, '#eab76c', 'opacity=".5"')

export const gurChunk: Drawing = (s) =>
  shape(
    'M-60 14L-40 -32L14 -44L56 -14L50 30L-8 46Z',
    s.linear([
      [0, '#d8994c'],
      [1, '#8d5220'],
    ]),
  ) +
  shape('M-40 -32L14 -44L56 -14L4 0Z', '#e6b064') +
  line('M4 0L-8 46', '#8d5220', 3, 0.6)
