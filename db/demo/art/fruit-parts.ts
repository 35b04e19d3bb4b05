// What every fruit is made of: a body with light on it, a shine, a leaf.
import { at, line, oval, shape, type Sheet } from './sheet.ts'

export type Drawing = (s: Sheet) => string

const LEAF = 'M0 0C10 -22 44 -36 78 -30C66 -4 32 12 0 0Z'

export function leaf(x: number, y: number, turn: number, scale = 1, colour = '#3f7f3c'): string {
  return at(x, y, shape(LEAF, colour) + line('M4 -2C28 -14 50 -22 70 -27', '#a9cf8a', 2.5, 0.7), { turn, scale })
}

export const shine = (x: number, y: number, rx: number, ry: number, turn = -30, opacity = 0.55) =>
  oval(x, y, rx, ry, '#fffdf0', `opacity="${opacity}" transform="rotate(${turn} ${x} ${y})"`)

export function ball(s: Sheet, r: number, light: string, base: string, dark: string, squash = 1): string {
  return oval(
    0,
    0,
    r,
    r * squash,
    s.radial(
      [
        [0, light],
        [0.55, base],
        [1, dark],
      ],
      0.35,
      0.28,
      0.8,
    ),
  )
}
