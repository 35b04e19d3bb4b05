// What lies on the table in each picture, and on what.
import * as crops from './crops.ts'
import * as fruit from './fruit.ts'
import * as large from './large-fruit.ts'
import { leafSprig, riceBowl, riceSack, rope } from './props.ts'
import type { Sheet } from './sheet.ts'

/** `shadow` in the size of a fruit of 200; nothing for what throws its own. */
export type Laid = [drawing: (s: Sheet) => string, x: number, y: number, scale?: number, turn?: number, shadow?: number]
export type Under = 'leaf' | 'basket' | 'cloth' | 'board'
export interface Setting {
  under: Under
  wall: [string, string]
  laid: Laid[]
  before?: Laid[]
}

const WARM: [string, string] = ['#fbeccb', '#f2d3a0']
const FRESH: [string, string] = ['#eef3dc', '#d7e3b8']
export const CLAY: [string, string] = ['#e9c49a', '#cf965f']
const DUSK: [string, string] = ['#fbe3d2', '#eebf9f']

const himsagar = fruit.mango('#ffe27a', '#f3b93a', '#c07a1f', '#e9772f')
const langra = fruit.mango('#dcea8c', '#a5c24e', '#5f8430', '#d9c84a')
const amrapali = fruit.mango('#ffd27a', '#f2983a', '#b9541f', '#d8402f')
const fazli = fruit.mango('#cfe08a', '#8fb04a', '#4f7430', '#b9c14a')
const gopalbhog = fruit.mango('#ffe694', '#e9c24a', '#a8842a', '#a9b93a')
const sagar = fruit.bananas('#fff0a0', '#f6cf3e', '#c9962a', 0)
const champa = fruit.bananas('#fbe6a0', '#e9b83e', '#a8782a', 10)
const malta = large.citrus('#ffd27a', '#f09a2e', '#b5621a')
const lime = large.citrus('#dff08c', '#97c13e', '#557f25', 1.08)
const pomelo = large.citrus('#f3f2a0', '#cdd45a', '#8a9a35', 1.04)
const stem = (length: number, colours: [string, string, string], wide?: number) => (s: Sheet) => crops.caneStem(s, length, ...colours, wide)
const PURPLE: [string, string, string] = ['#9a6a78', '#6a3a4c', '#3c1d2b']
const YELLOW: [string, string, string] = ['#e9e08c', '#c3b84a', '#7d7a2c']
const GREEN: [string, string, string] = ['#d3dd8a', '#9db04a', '#5f7a2e']

/** Seven in a basket; flat things lie closer to each other. */
const heap = (drawing: Laid[0], scale: number, tall = 0.9): Laid[] => {
  const step = 150 * scale
  return [
    [-0.96, -0.9],
    [0, -1.04],
    [0.96, -0.9],
    [-1.36, -0.14],
    [-0.48, -0.1],
    [0.48, -0.1],
    [1.36, -0.14],
  ].map(([dx, dy], i) => [drawing, 400 + dx! * step, 430 + dy! * step * tall, scale, [-12, 6, 18, -24, 8, -8, 20][i]])
}

export const SETTINGS: Record<string, Setting> = {
  himsagar: { under: 'basket', wall: WARM, laid: heap(himsagar, 0.92) },
  langra: {
    under: 'leaf',
    wall: FRESH,
    laid: [
      [langra, 300, 370, 1, -14],
      [langra, 500, 365, 1.02, 12],
      [langra, 400, 430, 1.12, 0],
      [langra, 590, 450, 0.9, 26],
    ],
  },
  amrapali: { under: 'basket', wall: DUSK, laid: heap(amrapali, 0.8) },
  fazli: {
    under: 'board',
    wall: FRESH,
    laid: [
      [fazli, 300, 390, 1.34, -10],
      [fazli, 520, 400, 1.3, 10],
    ],
  },
  gopalbhog: {
    under: 'cloth',
    wall: WARM,
    laid: [
      [gopalbhog, 270, 410, 0.95, -20],
      [gopalbhog, 400, 380, 1, 4],
      [gopalbhog, 530, 412, 0.95, 18],
      [gopalbhog, 410, 470, 0.9, -6],
    ],
  },
  jackfruit: {
    under: 'leaf',
    wall: WARM,
    laid: [
      [fruit.jackfruit, 340, 340, 1.45, 72],
      [fruit.jackBulb, 560, 450, 0.95, 10, 0.5],
      [fruit.jackBulb, 620, 470, 0.9, 60, 0.5],
      [fruit.jackBulb, 505, 485, 0.92, -50, 0.5],
    ],
  },
  litchi: {
    under: 'leaf',
    wall: DUSK,
    laid: [
      [leafSprig, 400, 300, 1.4, 0, 0],
      ...[
        [270, 360],
        [350, 330],
        [440, 322],
        [525, 350],
        [300, 430],
        [385, 405],
        [470, 412],
        [556, 432],
        [340, 490],
        [430, 488],
      ].map(([x, y], i): Laid => [fruit.litchi, x!, y!, 1.05, i * 37, 0.5]),
      [fruit.litchiOpen, 520, 502, 1.05, 8, 0.5],
    ],
  },
  guava: { under: 'basket', wall: FRESH, laid: heap(fruit.guava, 0.86), before: [[fruit.guavaHalf, 610, 520, 0.82, 8]] },
  papaya: {
    under: 'board',
    wall: DUSK,
    laid: [
      [fruit.papaya, 300, 370, 1.25, -58],
      [fruit.papayaHalf, 510, 410, 1.22, 64],
    ],
  },
  banana: {
    under: 'cloth',
    wall: WARM,
    laid: [
      [sagar, 230, 372, 1.36, -14, 1.2],
      [sagar, 480, 404, 1.2, 8, 1.2],
    ],
  },
  champa: {
    under: 'leaf',
    wall: FRESH,
    laid: [
      [champa, 200, 410, 1.15, -20],
      [champa, 350, 380, 1.24, -4],
      [champa, 490, 416, 1.15, 12],
    ],
  },
  pineapple: {
    under: 'board',
    wall: WARM,
    laid: [
      [large.pineapple, 270, 350, 1.28, -6],
      [large.pineapple, 420, 350, 1.36, 2],
      [large.pineapple, 568, 362, 1.24, 9],
    ],
  },
  watermelon: {
    under: 'cloth',
    wall: FRESH,
    laid: [
      [large.watermelon, 320, 370, 1.5, -6],
      [large.watermelonSlice, 530, 450, 1.12, -10],
    ],
  },
  coconut: {
    under: 'leaf',
    wall: FRESH,
    laid: [
      [large.greenCoconut, 240, 400, 1.12, -10],
      [large.greenCoconut, 560, 396, 1.12, 12],
      [large.openCoconut, 402, 400, 1.22],
    ],
  },
  malta: {
    under: 'basket',
    wall: WARM,
    laid: heap(malta, 0.86),
    before: [[large.citrusHalf('#f09a2e', '#f4a93c', '#ffd98a'), 612, 520, 0.82, 12]],
  },
  lemon: {
    under: 'cloth',
    wall: FRESH,
    laid: [
      [lime, 280, 400, 0.92, -24],
      [lime, 400, 362, 0.96, 10],
      [lime, 520, 398, 0.92, 30],
      [lime, 350, 470, 0.94, 70],
      [large.citrusHalf('#86b23a', '#b9d95c', '#eaf7b4'), 490, 474, 0.9, 10],
    ],
  },
  pomelo: {
    under: 'board',
    wall: DUSK,
    laid: [
      [pomelo, 310, 360, 1.6, -4],
      [large.citrusHalf('#cdd45a', '#ee8f92', '#fbd0cb'), 530, 420, 1.36, 12],
    ],
  },
  sugarcane: {
    under: 'cloth',
    wall: WARM,
    laid: [
      [stem(600, PURPLE, 46), 96, 300, 1, 4, 0],
      [stem(600, PURPLE, 46), 84, 366, 1, -3, 0],
      [stem(590, PURPLE, 46), 100, 402, 1, 3, 0],
      [stem(110, YELLOW, 56), 330, 508, 1, -16, 0],
      [stem(100, YELLOW, 56), 470, 500, 1, 10, 0],
      [stem(90, YELLOW, 56), 596, 512, 1, -6, 0],
    ],
  },
  'cane-bundle': {
    under: 'board',
    wall: FRESH,
    laid: [
      ...[0, 1, 2, 3].map((i): Laid => [stem(470, YELLOW, 38), 150, 330 + i * 42, 1, 0, 0]),
      ...[0, 1, 2].map((i): Laid => [stem(470, YELLOW, 38), 172, 351 + i * 42, 1, 0, 0]),
      [rope, 400, 396, 1, 0, 0],
    ],
  },
  'cane-seed': {
    under: 'leaf',
    wall: CLAY,
    laid: [
      [190, 380, -6],
      [240, 430, 4],
      [210, 480, -3],
      [430, 372, 5],
      [450, 428, -5],
      [420, 482, 3],
    ].map(([x, y, turn]): Laid => [stem(180, GREEN, 40), x!, y!, 1, turn, 0]),
  },
  gur: {
    under: 'leaf',
    wall: CLAY,
    laid: [
      [crops.gurDisc, 320, 430, 1.3],
      [crops.gurDisc, 326, 372, 1.26],
      [crops.gurDisc, 318, 316, 1.22],
      [crops.gurChunk, 540, 470, 1.05, 8, 0.7],
      [crops.gurChunk, 610, 430, 0.72, -30, 0.7],
    ],
  },
  potato: { under: 'basket', wall: CLAY, laid: heap(crops.potato, 0.92, 0.62) },
  onion: { under: 'basket', wall: DUSK, laid: heap(crops.onion, 0.84) },
  eggplant: {
    under: 'board',
    wall: FRESH,
    laid: [
      [crops.eggplant, 270, 390, 1.12, -16],
      [crops.eggplant, 530, 386, 1.1, 14],
      [crops.eggplant, 402, 410, 1.22, 2],
    ],
  },
  carrot: {
    under: 'cloth',
    wall: FRESH,
    laid: [
      [crops.carrot, 280, 390, 1.16, 64],
      [crops.carrot, 330, 440, 1.16, 78],
      [crops.carrot, 420, 380, 1.1, 96],
      [crops.carrot, 380, 486, 1.1, 88],
    ],
  },
  rice: {
    under: 'board',
    wall: WARM,
    laid: [
      [riceSack, 300, 360],
      [riceBowl, 560, 450],
    ],
  },
}
