// Fruit and crops laid out on a table in morning light, 800 × 600.
import * as fruit from './fruit.ts'
import { alponaBand, palm } from './places.ts'
import { at, chance, line, oval, shape, type Sheet } from './sheet.ts'

/** `shadow` in the size of a fruit of 200; nothing for what throws its own. */
type Laid = [drawing: (s: Sheet) => string, x: number, y: number, scale?: number, turn?: number, shadow?: number]
type Under = 'leaf' | 'basket' | 'cloth' | 'board'
interface Setting { under: Under; wall: [string, string]; laid: Laid[]; before?: Laid[] }

const WARM: [string, string] = ['#fbeccb', '#f2d3a0']
const FRESH: [string, string] = ['#eef3dc', '#d7e3b8']
const CLAY: [string, string] = ['#e9c49a', '#cf965f']
const DUSK: [string, string] = ['#fbe3d2', '#eebf9f']

const himsagar = fruit.mango('#ffe27a', '#f3b93a', '#c07a1f', '#e9772f')
const langra = fruit.mango('#dcea8c', '#a5c24e', '#5f8430', '#d9c84a')
const amrapali = fruit.mango('#ffd27a', '#f2983a', '#b9541f', '#d8402f')
const fazli = fruit.mango('#cfe08a', '#8fb04a', '#4f7430', '#b9c14a')
const gopalbhog = fruit.mango('#ffe694', '#e9c24a', '#a8842a', '#a9b93a')
const sagar = fruit.bananas('#fff0a0', '#f6cf3e', '#c9962a', 0)
const champa = fruit.bananas('#fbe6a0', '#e9b83e', '#a8782a', 10)
const malta = fruit.citrus('#ffd27a', '#f09a2e', '#b5621a')
const lime = fruit.citrus('#dff08c', '#97c13e', '#557f25', 1.08)
const pomelo = fruit.citrus('#f3f2a0', '#cdd45a', '#8a9a35', 1.04)
const stem = (length: number, colours: [string, string, string], wide?: number) => (s: Sheet) => fruit.caneStem(s, length, ...colours, wide)
const PURPLE: [string, string, string] = ['#9a6a78', '#6a3a4c', '#3c1d2b']
const YELLOW: [string, string, string] = ['#e9e08c', '#c3b84a', '#7d7a2c']
const GREEN: [string, string, string] = ['#d3dd8a', '#9db04a', '#5f7a2e']

const heap = (drawing: Laid[0], scale: number, x = 400, y = 430): Laid[] => {
  const step = 150 * scale
  return [[-0.96, -0.9], [0, -1.04], [0.96, -0.9], [-1.36, -0.14], [-0.48, -0.1], [0.48, -0.1], [1.36, -0.14]].map(([dx, dy], i) => [drawing, x + dx! * step, y + dy! * step * 0.9, scale, [-12, 6, 18, -24, 8, -8, 20][i]])
}

export const SETTINGS: Record<string, Setting> = {
  himsagar: { under: 'basket', wall: WARM, laid: heap(himsagar, 0.92) },
  langra: { under: 'leaf', wall: FRESH, laid: [[langra, 300, 370, 1, -14], [langra, 500, 365, 1.02, 12], [langra, 400, 430, 1.12, 0], [langra, 590, 450, 0.9, 26]] },
  amrapali: { under: 'basket', wall: DUSK, laid: heap(amrapali, 0.8) },
  fazli: { under: 'board', wall: FRESH, laid: [[fazli, 300, 390, 1.34, -10], [fazli, 520, 400, 1.3, 10]] },
  gopalbhog: { under: 'cloth', wall: WARM, laid: [[gopalbhog, 270, 410, 0.95, -20], [gopalbhog, 400, 380, 1, 4], [gopalbhog, 530, 412, 0.95, 18], [gopalbhog, 410, 470, 0.9, -6]] },
  jackfruit: { under: 'leaf', wall: WARM, laid: [[fruit.jackfruit, 340, 340, 1.45, 72], [fruit.jackBulb, 560, 450, 0.95, 10, 0.5], [fruit.jackBulb, 620, 470, 0.9, 60, 0.5], [fruit.jackBulb, 505, 485, 0.92, -50, 0.5]] },
  litchi: { under: 'leaf', wall: DUSK, laid: [[leafSprig, 400, 300, 1.4, 0, 0], ...[[270, 360], [350, 330], [440, 322], [525, 350], [300, 430], [385, 405], [470, 412], [556, 432], [340, 490], [430, 488]].map(([x, y], i): Laid => [fruit.litchi, x!, y!, 1.05, i * 37, 0.5]), [fruit.litchiOpen, 520, 502, 1.05, 8, 0.5]] },
  guava: { under: 'basket', wall: FRESH, laid: heap(fruit.guava, 0.86), before: [[fruit.guavaHalf, 610, 520, 0.82, 8]] },
  papaya: { under: 'board', wall: DUSK, laid: [[fruit.papaya, 300, 370, 1.25, -58], [fruit.papayaHalf, 510, 410, 1.22, 64]] },
  banana: { under: 'cloth', wall: WARM, laid: [[sagar, 230, 372, 1.36, -14, 1.2], [sagar, 480, 404, 1.2, 8, 1.2]] },
  champa: { under: 'leaf', wall: FRESH, laid: [[champa, 200, 410, 1.15, -20], [champa, 350, 380, 1.24, -4], [champa, 490, 416, 1.15, 12]] },
  pineapple: { under: 'board', wall: WARM, laid: [[fruit.pineapple, 270, 350, 1.28, -6], [fruit.pineapple, 420, 350, 1.36, 2], [fruit.pineapple, 568, 362, 1.24, 9]] },
  watermelon: { under: 'cloth', wall: FRESH, laid: [[fruit.watermelon, 320, 370, 1.5, -6], [fruit.watermelonSlice, 530, 450, 1.12, -10]] },
  coconut: { under: 'leaf', wall: FRESH, laid: [[fruit.greenCoconut, 240, 400, 1.12, -10], [fruit.greenCoconut, 560, 396, 1.12, 12], [fruit.openCoconut, 402, 400, 1.22]] },
  malta: { under: 'basket', wall: WARM, laid: heap(malta, 0.86), before: [[fruit.citrusHalf('#f09a2e', '#f4a93c', '#ffd98a'), 612, 520, 0.82, 12]] },
  lemon: { under: 'cloth', wall: FRESH, laid: [[lime, 280, 400, 0.92, -24], [lime, 400, 362, 0.96, 10], [lime, 520, 398, 0.92, 30], [lime, 350, 470, 0.94, 70], [fruit.citrusHalf('#86b23a', '#b9d95c', '#eaf7b4'), 490, 474, 0.9, 10]] },
  pomelo: { under: 'board', wall: DUSK, laid: [[pomelo, 310, 360, 1.6, -4], [fruit.citrusHalf('#cdd45a', '#ee8f92', '#fbd0cb'), 530, 420, 1.36, 12]] },
  sugarcane: { under: 'cloth', wall: WARM, laid: [[stem(560, PURPLE, 36), 110, 360, 1, -4, 0], [stem(560, PURPLE, 36), 130, 402, 1, 0, 0], [stem(540, PURPLE, 36), 120, 446, 1, 3, 0], [stem(96, YELLOW, 44), 480, 510, 1, -14, 0], [stem(84, YELLOW, 44), 600, 508, 1, 8, 0]] },
  'cane-bundle': { under: 'board', wall: FRESH, laid: [...[0, 1, 2, 3].map((i): Laid => [stem(470, YELLOW, 38), 150, 330 + i * 42, 1, 0, 0]), ...[0, 1, 2].map((i): Laid => [stem(470, YELLOW, 38), 172, 351 + i * 42, 1, 0, 0]), [rope, 400, 396, 1, 0, 0]] },
  'cane-seed': { under: 'leaf', wall: CLAY, laid: [...[[190, 380, -6], [240, 430, 4], [210, 480, -3], [430, 372, 5], [450, 428, -5], [420, 482, 3]].map(([x, y, turn]): Laid => [stem(180, GREEN, 40), x!, y!, 1, turn, 0])] },
  gur: { under: 'leaf', wall: CLAY, laid: [[fruit.gurDisc, 320, 430, 1.3], [fruit.gurDisc, 326, 372, 1.26], [fruit.gurDisc, 318, 316, 1.22], [fruit.gurChunk, 540, 470, 1.05, 8, 0.7], [fruit.gurChunk, 610, 430, 0.72, -30, 0.7]] },
  potato: { under: 'basket', wall: CLAY, laid: heap(fruit.potato, 0.86) },
  onion: { under: 'basket', wall: DUSK, laid: heap(fruit.onion, 0.84) },
  eggplant: { under: 'board', wall: FRESH, laid: [[fruit.eggplant, 270, 390, 1.12, -16], [fruit.eggplant, 530, 386, 1.1, 14], [fruit.eggplant, 402, 410, 1.22, 2]] },
  carrot: { under: 'cloth', wall: FRESH, laid: [[fruit.carrot, 280, 390, 1.16, 64], [fruit.carrot, 330, 440, 1.16, 78], [fruit.carrot, 420, 380, 1.1, 96], [fruit.carrot, 380, 486, 1.1, 88]] },
  rice: { under: 'board', wall: WARM, laid: [[riceSack, 300, 360], [riceBowl, 560, 450]] },
}

/** The picture of one thing the farm grows. */
export function tabletop(s: Sheet, name: string): string {
  const { under, wall, laid, before = [] } = SETTINGS[name]!
  const [behind, front] = underneath(s, under)
  const scene = room(s, wall, chance(name)) + behind + (under === 'basket' ? '' : shadowsOf(laid)) + things(s, laid) + front + shadowsOf(before) + things(s, before)
  return at(400, 596, at(-400, -596, scene), { scale: 1.2 })
}

const things = (s: Sheet, laid: Laid[]) => laid.map(([drawing, x, y, scale = 1, turn = 0]) => at(x, y, drawing(s), { scale, turn })).join('')

const shadowsOf = (laid: Laid[]) => laid.map(([, x, y, scale = 1, , shadow = 1]) =>
  shadow > 0 ? oval(x + 14, y + 80 * scale * shadow, 94 * scale * shadow, 26 * scale * shadow, '#3a2410', 'opacity=".2"') : '').join('')

function room(s: Sheet, [light, dark]: [string, string], random: ReturnType<typeof chance>): string {
  return `<rect width="800" height="600" fill="${s.linear([[0, light], [1, dark]])}"/>` + shape('M120 0H330L560 400H300Z', '#fffaf0', 'opacity=".35"') + shape('M400 0H520L760 400H620Z', '#fffaf0', 'opacity=".28"') +
    (light === CLAY[0] ? alponaBand(800, 190) : `<g opacity=".14">${palm(random(520, 740), 330, random(200, 260), '#5c6b35', random(-40, 30))}</g>`) +
    shape('M0 372H800V600H0Z', s.linear([[0, '#c58f57'], [0.06, '#b37d47'], [1, '#8a5a2f']])) + shape('M0 372H800v7H0Z', '#e0b27c', 'opacity=".8"') +
    [0, 1, 2, 3].map((i) => line(`M0 ${424 + i * 52 + random(-6, 6)}Q400 ${418 + i * 54} 800 ${426 + i * 52}`, '#6f4623', 3, 0.35)).join('')
}

function underneath(s: Sheet, under: Under): [behind: string, before: string] {
  switch (under) {
    case 'leaf':
      return [shape('M50 470C150 350 520 330 768 420C700 560 300 590 50 470Z', '#3c2410', 'opacity=".2" transform="translate(8 14)"') +
        shape('M50 470C150 350 520 330 768 420C700 560 300 590 50 470Z', s.linear([[0, '#7fb35a'], [0.5, '#5b9a48'], [1, '#3d7a3a']])) +
        line('M50 470C260 450 540 440 768 420', '#c9e3a0', 6, 0.8) +
        [...Array(13).keys()].map((i) => line(`M${110 + i * 50} ${466 - i * 3.4}q24 ${-40 - (i % 3) * 5} 62 ${-66 + Math.abs(i - 6) * 6}M${110 + i * 50} ${466 - i * 3.4}q30 ${28} 70 ${58 - Math.abs(i - 6) * 5}`, '#b5d68c', 2.5, 0.5)).join(''), '']
    case 'basket':
      return [oval(410, 560, 330, 34, '#3a2410', 'opacity=".28"') + shape('M120 420H680L640 540H160Z', '#8a5c2c') + oval(400, 424, 282, 58, '#6f4720'), basketFront(s)]
    case 'cloth':
      return [shape('M70 420L720 402L772 556L30 574Z', '#3a2410', 'opacity=".18" transform="translate(6 10)"') + shape('M70 420L720 402L772 556L30 574Z', s.linear([[0, '#fffaf0'], [1, '#efe3cc']])) +
        line('M92 432L706 416L752 546L56 562Z', '#a8452a', 5, 0.85) + `<path d="M104 440L696 424L738 540L72 555Z" fill="none" stroke="#a8452a" stroke-width="2.5" stroke-dasharray="9 7" opacity=".7"/>`, '']
    case 'board':
      return [shape('M110 450C110 420 150 410 190 408L620 400C670 400 700 420 706 450L724 520C726 546 700 556 660 556H150C110 556 92 546 96 518Z', '#3a2410', 'opacity=".25" transform="translate(6 12)"') +
        shape('M110 450C110 420 150 410 190 408L620 400C670 400 700 420 706 450L724 520C726 546 700 556 660 556H150C110 556 92 546 96 518Z', s.linear([[0, '#e6c391'], [1, '#cfa368']])) +
        line('M130 470Q400 440 690 466M120 506Q400 476 706 502M140 538Q400 516 690 534', '#a87a42', 3, 0.4), '']
  }
}

function basketFront(s: Sheet): string {
  const clip = s.clip('<path d="M118 438C200 500 600 500 682 438L640 566C560 592 240 592 160 566Z"/>')
  let weave = ''
  for (let row = 0; row < 7; row++) for (let col = 0; col < 17; col++) {
    const odd = (row + col) % 2
    weave += `<rect x="${104 + col * 36}" y="${440 + row * 22 + Math.abs(8 - col) * -3}" width="37" height="21" rx="7" fill="${odd ? '#d9a862' : '#b9823f'}"/>`
  }
  return `<g clip-path="${clip}"><rect x="100" y="430" width="600" height="180" fill="#8a5c2c"/>${weave}<rect x="100" y="430" width="600" height="180" fill="${s.linear([[0, '#fff3d0', 0.18], [0.3, '#000', 0], [1, '#2a1608', 0.45]])}"/></g>` +
    line('M118 432C200 496 600 496 682 432', '#a8712f', 20) + line('M120 428C202 490 598 490 680 428', '#e0b26c', 7) + `<path d="M118 432C200 496 600 496 682 432" fill="none" stroke="#7d5220" stroke-width="20" stroke-dasharray="4 20" opacity=".5"/>`
}

function leafSprig(): string {
  const one = (turn: number, scale: number) => at(0, 0, shape('M0 0C30 -34 90 -40 140 -14C96 14 34 22 0 0Z', '#4c8442') + line('M6 -2C50 -14 90 -18 128 -14', '#b5d68c', 2.5, 0.7), { turn, scale })
  return line('M-120 40C-40 -10 60 -20 130 10', '#6b4a2b', 6) + one(-160, 1) + one(-20, 1) + one(-100, 0.8) + one(20, 0.9) + one(160, 0.9)
}

function rope(): string {
  return [-130, 120].map((x) => line(`M${x} -92C${x + 16} -40 ${x + 16} 60 ${x} 120`, '#8a5c2c', 16) + `<path d="M${x} -92C${x + 16} -40 ${x + 16} 60 ${x} 120" fill="none" stroke="#d9b27a" stroke-width="13" stroke-dasharray="7 5"/>`).join('')
}

function riceSack(s: Sheet): string {
  const random = chance('rice')
  return shape('M-150 150C-170 40 -150 -60 -120 -110H120C150 -60 170 40 150 150C90 176 -90 176 -150 150Z', s.linear([[0, '#e6cf9e'], [0.5, '#d3b57a'], [1, '#a98650']], 20)) + [...Array(11).keys()].map((i) => line(`M${-150 + i * 30} -100C${-160 + i * 31} 0 ${-156 + i * 31} 80 ${-146 + i * 29} 160`, '#a98650', 2, 0.4)).join('') +
    oval(0, -110, 128, 40, '#b9965c') + oval(0, -122, 112, 42, s.radial([[0, '#fffdf4'], [1, '#e9e0c8']])) + [...Array(80).keys()].map(() => grain(random(-90, 90), random(-146, -98), random)).join('') +
    shape('M-50 0H50V70H-50Z', '#23693f', 'opacity=".85"') + line('M-38 12H38V58H-38Z', '#fbf3e2', 3, 0.9) + at(0, 52, riceEar('#fbf3e2'), { scale: 0.5 })
}

function riceBowl(s: Sheet): string {
  const random = chance('bowl')
  return oval(0, -20, 116, 54, s.radial([[0, '#fffdf4'], [1, '#e6dcc2']])) + [...Array(70).keys()].map(() => grain(random(-92, 92), random(-58, -2), random)).join('') +
    shape('M-120 -14C-80 30 80 30 120 -14C118 54 66 84 0 84S-118 54 -120 -14Z', s.linear([[0, '#c9713f'], [1, '#7d3a1c']])) + line('M-118 -12C-80 30 80 30 118 -12', '#e6a070', 5, 0.9)
}

const grain = (x: number, y: number, random: ReturnType<typeof chance>) => oval(x, y, 6, 2.6, '#fffefa', `stroke="#d6c9a8" stroke-width="1" transform="rotate(${Math.round(random(-60, 60))} ${x.toFixed(1)} ${y.toFixed(1)})"`)

function riceEar(colour: string): string {
  return line('M0 0C2 -30 10 -60 30 -84', colour, 4) + [0, 1, 2, 3, 4].map((i) => oval(4 + i * 6, -30 - i * 12, 10, 4, colour, `transform="rotate(${-70 + i * 6} ${4 + i * 6} ${-30 - i * 12})"`) + oval(14 + i * 5, -26 - i * 12, 10, 4, colour, `transform="rotate(-10 ${14 + i * 5} ${-26 - i * 12})"`)).join('')
}
