// Small things on the table: a sprig, a rope, rice in a sack and a bowl.
import { at, chance, line, oval, shape, type Sheet } from './sheet.ts'

export function leafSprig(): string {
  const one = (turn: number, scale: number) =>
    at(0, 0, shape('M0 0C30 -34 90 -40 140 -14C96 14 34 22 0 0Z', '#4c8442') + line('M6 -2C50 -14 90 -18 128 -14', '#b5d68c', 2.5, 0.7), {
      turn,
      scale,
    })
  return line('M-120 40C-40 -10 60 -20 130 10', '#6b4a2b', 6) + one(-160, 1) + one(-20, 1) + one(-100, 0.8) + one(20, 0.9) + one(160, 0.9)
}

export function rope(): string {
  return [-130, 120]
    .map(
      (x) =>
        line(`M${x} -92C${x + 16} -40 ${x + 16} 60 ${x} 120`, '#8a5c2c', 16) +
        `<path d="M${x} -92C${x + 16} -40 ${x + 16} 60 ${x} 120" fill="none" stroke="#d9b27a" stroke-width="13" stroke-dasharray="7 5"/>`,
    )
    .join('')
}

export function riceSack(s: Sheet): string {
  const random = chance('rice')
  return (
    shape(
      'M-150 150C-170 40 -150 -60 -120 -110H120C150 -60 170 40 150 150C90 176 -90 176 -150 150Z',
      s.linear(
        [
          [0, '#e6cf9e'],
          [0.5, '#d3b57a'],
          [1, '#a98650'],
        ],
        20,
      ),
    ) +
    [...Array(11).keys()]
      .map((i) => line(`M${-150 + i * 30} -100C${-160 + i * 31} 0 ${-156 + i * 31} 80 ${-146 + i * 29} 160`, '#a98650', 2, 0.4))
      .join('') +
    oval(0, -110, 128, 40, '#b9965c') +
    oval(
      0,
      -122,
      112,
      42,
      s.radial([
        [0, '#fffdf4'],
        [1, '#e9e0c8'],
      ]),
    ) +
    [...Array(80).keys()].map(() => grain(random(-90, 90), random(-146, -98), random)).join('') +
    shape('M-50 0H50V70H-50Z', '#23693f', 'opacity=".85"') +
    line('M-38 12H38V58H-38Z', '#fbf3e2', 3, 0.9) +
    at(0, 52, riceEar('#fbf3e2'), { scale: 0.5 })
  )
}

export function riceBowl(s: Sheet): string {
  const random = chance('bowl')
  return (
    oval(
      0,
      -20,
      116,
      54,
      s.radial([
        [0, '#fffdf4'],
        [1, '#e6dcc2'],
      ]),
    ) +
    [...Array(70).keys()].map(() => grain(random(-92, 92), random(-58, -2), random)).join('') +
    shape(
      'M-120 -14C-80 30 80 30 120 -14C118 54 66 84 0 84S-118 54 -120 -14Z',
      s.linear([
        [0, '#c9713f'],
        [1, '#7d3a1c'],
      ]),
    ) +
    line('M-118 -12C-80 30 80 30 118 -12', '#e6a070', 5, 0.9)
  )
}

const grain = (x: number, y: number, random: ReturnType<typeof chance>) =>
  oval(
    x,
    y,
    6,
    2.6,
    '#fffefa',
    `stroke="#d6c9a8" stroke-width="1" transform="rotate(${Math.round(random(-60, 60))} ${x.toFixed(1)} ${y.toFixed(1)})"`,
  )

function riceEar(colour: string): string {
  return (
    line('M0 0C2 -30 10 -60 30 -84', colour, 4) +
    [0, 1, 2, 3, 4]
      .map(
        (i) =>
          oval(4 + i * 6, -30 - i * 12, 10, 4, colour, `transform="rotate(${-70 + i * 6} ${4 + i * 6} ${-30 - i * 12})"`) +
          oval(14 + i * 5, -26 - i * 12, 10, 4, colour, `transform="rotate(-10 ${14 + i * 5} ${-26 - i * 12})"`),
      )
      .join('')
  )
}
