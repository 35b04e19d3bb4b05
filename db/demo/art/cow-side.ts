// An animal from the side, looking right, hooves on y = 540, about 560 wide.
import type { Coat } from '#features/catalog/coats.ts'
import { COAT_COLOURS } from './cow-coats.ts'
import { earTag } from './ear-tag.ts'
import { at, blob, chance, line, oval, shape, type Sheet } from './sheet.ts'

export interface CowLook {
  coat: Coat
  /** Number on the ear tag. */
  tag?: string
  /** 0 (cow) to 1 (Brahman bull). */
  hump?: number
  /** 0 (none) to 1 (long). */
  horns?: number
  dewlap?: number
  /** Degrees the head is lowered (positive) or raised. */
  head?: number
  udder?: boolean
  garland?: boolean
  /** Drawn to be mirrored afterwards. */
  mirrored?: boolean
  /** Degrees the tail swings away from where it hangs. */
  swing?: number
  /** Tells apart animals of one coat: where patches lie, how the tail hangs. */
  seed?: string
}

const HEAD_PIVOT = [566, 262] as const

export function cowSide(s: Sheet, look: CowLook): string {
  const { coat, hump = 0.6, horns = 0.6, dewlap = 0.6, head = 0, udder = false, seed = coat } = look
  const c = COAT_COLOURS[coat]
  const random = chance(seed)
  const hide = s.linear([
    [0, c.light],
    [0.42, c.base],
    [1, c.dark],
  ])
  const far = s.linear([
    [0, c.dark],
    [1, c.points],
  ])
  const near = s.linear([
    [0, c.base, 0],
    [0.4, c.base],
    [0.62, c.base],
    [1, c.points],
  ])
  const outline = bodyOutline(hump, dewlap)
  const inside = s.clip(`<path d="${outline}"/>`)
  const patches = c.patches ? patchesOn(random, c.patches) : ''
  return [
    `<g transform="rotate(${look.swing ?? 0} 190 246)">${tail(c, random)}</g>`,
    shape(FAR_HIND, far),
    shape(FAR_FORE, far),
    hoof(254, 535),
    hoof(436, 535),
    udder ? oval(292, 425, 40, 26, '#e3b29b') + line('M282 448v10M300 448v10', '#d39c85', 7) : '',
    shape(outline, hide),
    `<g clip-path="${inside}">${bodyLight(s, c.light, c.dark)}</g>`,
    shape(NEAR_HIND, near),
    hoof(203, 540),
    shape(NEAR_FORE, near),
    hoof(483, 540),
    `<g clip-path="${inside}">${patches}</g>`,
    look.garland ? garland() : '',
    `<g transform="rotate(${head} ${HEAD_PIVOT.join(' ')})">${headSide(s, look, horns, c.patches ? random() > 0.4 : false)}</g>`,
  ].join('')
}

function bodyOutline(hump: number, dewlap: number): string {
  const top = 214 - hump * 46
  const hang = 388 + dewlap * 52
  return `M186 240C214 222 262 231 318 236S410 238 430 216C444 ${top} 486 ${top - 6} 506 207C528 214 556 204 584 190
    C622 214 634 268 616 318C608 344 612 ${hang - 46} 592 ${hang - 30}C584 ${hang - 10} 566 ${hang - 8} 552 ${hang + 2}C534 ${hang + 6} 524 ${hang} 508 412
    C486 424 462 422 440 418C392 430 330 430 272 402C236 408 200 404 184 372C168 334 162 262 186 240Z`
}

const NEAR_HIND = `M174 300C166 356 192 396 197 424C199 440 190 448 192 462C195 488 203 508 203 528L236 528C235 504 234 486 238 464
  C243 440 272 418 286 380C292 340 266 300 226 286C200 284 178 286 174 300Z`
const FAR_HIND = `M232 370C240 404 252 424 248 448C246 476 255 500 254 524L284 524C284 500 282 480 286 456C294 432 312 424 318 392Z`
const NEAR_FORE = `M462 350C464 390 480 420 484 446C480 474 486 506 485 528L516 528C516 506 511 478 516 450C524 424 540 396 540 352
  C536 328 468 326 462 350Z`
const FAR_FORE = `M424 390C426 420 436 440 438 456C434 480 437 504 436 524L465 524C466 500 464 476 468 456C474 436 486 420 486 396Z`

/** Marigolds around the neck, as on the way home from the haat. */
function garland(): string {
  return [...Array(27).keys()]
    .map((i) => {
      const t = i / 26
      const x = 514 + 96 * t + Math.sin(t * Math.PI) * 26
      const y = 214 + Math.sin(t * Math.PI * 0.93) * 218 - t * 10
      return (
        oval(x, y, 15, 15, i % 3 === 1 ? '#c8452f' : '#f2a01f') +
        oval(x - 2, y - 2, 9, 9, i % 3 === 1 ? '#e2694a' : '#ffc247') +
        oval(x, y, 3.6, 3.6, '#b5621a', 'opacity=".6"')
      )
    })
    .join('')
}

const hoof = (x: number, y: number) =>
  shape(`M${x - 1} ${y - 15}h36l5 ${15 + 2}c-12 4 -34 4 -46 0Z`, '#2f2722') + shape(`M${x + 2} ${y - 14}h29l1 5h-31Z`, '#5b4d44')

function bodyLight(s: Sheet, light: string, dark: string): string {
  const shade = s.radial(
    [
      [0, '#1d120a', 0.36],
      [1, '#1d120a', 0],
    ],
    0.5,
    0.5,
    0.5,
  )
  const glow = s.radial(
    [
      [0, '#fff3d6', 0.38],
      [1, '#fff3d6', 0],
    ],
    0.5,
    0.5,
    0.5,
  )
  return [
    oval(340, 440, 210, 70, shade),
    oval(566, 340, 56, 120, shade),
    oval(330, 250, 230, 44, glow),
    oval(478, 220, 56, 34, glow),
    line('M474 300C462 340 462 380 484 424', dark, 5, 0.32),
    line('M474 300C492 276 520 268 540 270', dark, 4, 0.18),
    line('M262 300C292 330 296 372 258 404', dark, 4, 0.22),
    line('M372 300c8 30 8 60 0 92M404 296c8 34 8 66 0 100M340 306c7 26 7 52 0 80', dark, 3, 0.13),
    line('M560 306C576 346 572 380 556 416M584 312C596 344 594 372 582 396', dark, 3.5, 0.28),
    line('M188 238C214 222 262 231 318 236S410 238 430 216', light, 5, 0.8),
  ].join('')
}

function patchesOn(random: ReturnType<typeof chance>, colour: string): string {
  const spots: [number, number, number, number][] = [
    [random(196, 232), random(262, 290), random(46, 70), random(44, 66)],
    [random(320, 390), random(256, 330), random(46, 76), random(40, 70)],
    [random(456, 500), random(236, 290), random(40, 62), random(46, 76)],
    [random(330, 410), random(380, 410), random(24, 44), random(16, 26)],
    [random(548, 580), random(250, 330), random(24, 40), random(34, 60)],
  ]
  return spots.map(([x, y, rx, ry]) => shape(blob(x, y, rx, ry, random, 0.32), colour, 'opacity=".94"')).join('')
}

function tail(c: { base: string; dark: string; points: string }, random: ReturnType<typeof chance>): string {
  const sway = random(-22, 14)
  const end = 150 + sway
  return (
    line(`M190 246C160 262 156 320 ${end + 4} 388`, c.dark, 13) +
    shape(
      `M${end - 4} 380C${end - 20} 414 ${end - 16} 446 ${end - 4} 466C${end + 12} 446 ${end + 20} 414 ${end + 13} 380Z`,
      c.points === '#e2d8c8' ? '#3a342f' : c.points,
    )
  )
}

function headSide(s: Sheet, look: CowLook, horns: number, darkFace: boolean): string {
  const c = COAT_COLOURS[look.coat]
  const face = darkFace && c.patches ? c.patches : c.base
  const skin = s.linear(
    [
      [0, darkFace && c.patches ? c.patches : c.light],
      [0.6, face],
      [1, c.dark],
    ],
    60,
  )
  const farHorn = horns > 0.05 ? shape(horn(600, 190, horns * 0.86), c.horn, 'opacity=".75"') : ''
  const nearHorn =
    horns > 0.05
      ? shape(
          horn(588, 196, horns),
          s.linear([
            [0, '#5a4b3c'],
            [0.5, c.horn],
            [1, c.horn],
          ]),
        )
      : ''
  return [
    farHorn,
    shape('M608 196C640 186 652 196 648 214C636 226 618 220 606 212Z', c.dark), // the far ear
    shape(
      `M566 262C560 222 574 186 604 186C634 186 650 214 664 246C676 272 700 296 706 318C712 340 702 356 684 358
      C664 360 646 348 628 340C600 330 576 318 566 262Z`,
      skin,
    ),
    shape('M676 290C698 296 712 320 710 336C706 354 694 360 682 358C664 358 654 350 650 344C654 320 662 300 676 290Z', c.muzzle),
    line('M706 342C692 348 676 346 664 340', '#2a1c16', 3, 0.55),
    oval(698, 314, 6, 4, '#2a1c16', 'opacity=".8" transform="rotate(40 698 314)"'),
    line('M596 316C612 318 622 306 620 290', c.dark, 4, 0.35),
    oval(630, 240, 15, 11, darkFace && c.patches ? c.patches : c.dark, 'opacity=".5"'),
    oval(631, 240, 9, 8.5, '#1a1310'),
    oval(634, 237, 2.6, 2.4, '#fff'),
    line('M617 231C624 225 636 226 643 233', darkFace && c.patches ? '#6b6058' : c.dark, 4, 0.8),
    nearHorn,
    ear(s, c, look),
  ].join('')
}

function horn(x: number, y: number, length: number): string {
  const up = 26 + length * 58
  return `M${x - 9} ${y + 4}C${x - 10} ${y - up * 0.5} ${x + 4} ${y - up * 0.85} ${x + 22 + length * 12} ${y - up}
    C${x + 14} ${y - up * 0.66} ${x + 9} ${y - up * 0.4} ${x + 12} ${y + 2}Z`
}

function ear(s: Sheet, c: { light: string; base: string; dark: string }, { tag, mirrored }: CowLook): string {
  const fur = s.linear([
    [0, c.light],
    [1, c.dark],
  ])
  return (
    shape('M590 214C566 198 530 206 506 236C500 246 506 254 518 256C548 260 578 250 594 234Z', fur) +
    shape('M582 222C562 214 538 222 520 242C540 250 564 244 582 230Z', '#8c5b48', 'opacity=".55"') +
    at(534, 250, earTag(tag, mirrored), { turn: 9 })
  )
}
