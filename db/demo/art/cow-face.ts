// An animal looking at us: head, neck and chest, about 640 wide, meant to fill a picture of 800 × 600.
import { COAT_COLOURS } from './cow-coats.ts'
import type { CowLook } from './cow-side.ts'
import { earTag } from './ear-tag.ts'
import { at, blob, chance, line, oval, shape, type Sheet } from './sheet.ts'

export function cowFace(s: Sheet, look: CowLook): string {
  const { coat, horns = 0.6, hump = 0.6, seed = coat } = look
  const c = COAT_COLOURS[coat]
  const random = chance(seed)
  const chest = s.linear([
    [0, c.base],
    [1, c.dark],
  ])
  const face = s.linear(
    [
      [0, c.base],
      [0.35, c.light],
      [0.7, c.base],
      [1, c.dark],
    ],
    18,
  )
  const headClip = s.clip(`<path d="${HEAD}"/>`)
  const blaze = c.patches ? facePatches(random, c.patches) : ''
  return [
    shape(`M286 420C262 ${250 - hump * 50} 330 ${196 - hump * 70} 400 ${192 - hump * 74}S538 ${250 - hump * 50} 514 420Z`, c.dark),
    shape('M176 640C176 520 226 440 286 396L324 300H476L514 396C574 440 624 520 624 640Z', chest),
    shape('M176 640C176 520 226 440 286 396C262 470 262 560 276 640Z', c.light, 'opacity=".28"'),
    shape('M624 640C624 520 574 440 514 396C538 470 538 560 524 640Z', '#1d120a', 'opacity=".2"'),
    shape('M336 440C338 540 356 600 366 640H434C444 600 462 540 464 440Z', '#1d120a', 'opacity=".24"'),
    line('M372 524C378 564 384 600 386 640M428 524C422 564 416 600 414 640M400 530V640', c.dark, 5, 0.5),
    hornsOn(s, c.horn, horns),
    at(292, 196, ear(s, c)),
    at(508, 196, ear(s, c), { flip: true }),
    at(600, 236, earTag(look.tag, look.mirrored), { turn: -8, scale: 1.9 }),
    shape(HEAD, face),
    `<g clip-path="${headClip}">${blaze}${faceLight(s, c.dark)}</g>`,
    shape(
      'M340 418C352 384 448 384 460 418C482 450 478 512 400 514C322 512 318 450 340 418Z',
      s.radial(
        [
          [0, c.muzzle],
          [1, darker(c.muzzle)],
        ],
        0.5,
        0.25,
        0.9,
      ),
    ),
    nostril(362, 442, 1),
    nostril(438, 442, -1),
    line('M400 452V478M400 478C386 496 358 496 344 484M400 478C414 496 442 496 456 484', '#2a1c16', 4, 0.55),
    eye(318, 262, c.patches ?? c.dark),
    eye(482, 262, c.patches ?? c.dark, true),
    shape('M366 150C378 134 422 134 434 150C440 178 428 202 400 212C372 202 360 178 366 150Z', c.light, 'opacity=".55"'),
    line('M384 150C386 176 392 190 400 204M416 150C414 176 408 190 400 204M400 146V200', c.dark, 3, 0.3),
  ].join('')
}

const HEAD = `M304 168C330 140 470 140 496 168C516 210 508 262 488 308C474 352 476 400 470 446C464 500 432 520 400 520
  C368 520 336 500 330 446C324 400 326 352 312 308C292 262 284 210 304 168Z`

function faceLight(s: Sheet, dark: string): string {
  const glow = s.radial(
    [
      [0, '#fff3d6', 0.45],
      [1, '#fff3d6', 0],
    ],
    0.5,
    0.5,
    0.5,
  )
  const shade = s.radial(
    [
      [0, '#1d120a', 0.4],
      [1, '#1d120a', 0],
    ],
    0.5,
    0.5,
    0.5,
  )
  return (
    oval(384, 250, 60, 130, glow) +
    oval(500, 350, 50, 170, shade) +
    oval(306, 380, 26, 110, shade) +
    line('M352 300C360 340 362 372 358 404M448 300C440 340 438 372 442 404', dark, 5, 0.28)
  )
}

function hornsOn(s: Sheet, colour: string, length: number): string {
  if (length < 0.05) return ''
  const up = 40 + length * 110
  const horn = `M0 0C${-30 - length * 26} ${-up * 0.3} ${-34 - length * 34} ${-up * 0.7} ${-14 - length * 20} ${-up}
    C${-8 - length * 10} ${-up * 0.66} ${4 - length * 8} ${-up * 0.4} 34 -10Z`
  const bone = s.linear([
    [0, '#4a3d31'],
    [0.4, colour],
    [1, colour],
  ])
  return at(318, 176, shape(horn, bone)) + at(482, 176, shape(horn, bone), { flip: true })
}

function ear(s: Sheet, c: { light: string; base: string; dark: string }): string {
  return (
    shape(
      'M24 -14C-40 -44 -110 -30 -156 22C-160 34 -150 40 -136 42C-76 52 -14 40 26 14Z',
      s.linear([
        [0, c.light],
        [1, c.dark],
      ]),
    ) +
    shape('M6 -8C-40 -26 -96 -14 -132 24C-90 34 -34 26 6 8Z', '#9a6651', 'opacity=".5"') +
    line('M-8 2C-50 -6 -88 4 -116 20', c.light, 4, 0.45)
  )
}

function eye(x: number, y: number, dark: string, mirrored = false): string {
  return at(
    x,
    y,
    oval(0, 2, 27, 21, dark, 'opacity=".45"') +
      oval(0, 3, 17, 15, '#17100c') +
      oval(-5, -3, 5, 4.5, '#fff') +
      oval(6, 8, 3, 2.4, '#fff', 'opacity=".5"') +
      line('M-24 -4C-12 -20 14 -20 24 0', dark, 7, 0.85) +
      line('M-20 -12L-27 -20M-12 -17L-16 -26', dark, 3, 0.6),
    { flip: mirrored },
  )
}

const nostril = (x: number, y: number, side: 1 | -1) =>
  at(x, y, shape('M-14 -6C-6 -16 10 -12 14 2C8 12 -10 12 -14 -6Z', '#22150f', 'opacity=".85"'), { flip: side < 0 })

function facePatches(random: ReturnType<typeof chance>, colour: string): string {
  return (
    shape(blob(300, random(220, 270), random(70, 96), random(90, 130), random, 0.18), colour) +
    (random() > 0.35 ? shape(blob(500, random(220, 270), random(64, 92), random(90, 130), random, 0.18), colour) : '')
  )
}

function darker(colour: string): string {
  const channels = colour
    .slice(1)
    .match(/../g)!
    .map((pair) => Math.round(Number.parseInt(pair, 16) * 0.72))
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
