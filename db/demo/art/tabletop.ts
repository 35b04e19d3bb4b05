// Fruit and crops laid out on a table in morning light, 800 × 600.
import { alponaBand } from './alpona.ts'
import { palm } from './scenery.ts'
import { at, chance, line, oval, shape, type Sheet } from './sheet.ts'
import { CLAY, SETTINGS, type Laid, type Under } from './table-settings.ts'

/** The picture of one thing the farm grows. */
export function tabletop(s: Sheet, name: string): string {
  const { under, wall, laid, before = [] } = SETTINGS[name]!
  const [behind, front] = underneath(s, under)
  const scene =
    room(s, wall, chance(name)) +
    behind +
    (under === 'basket' ? '' : shadowsOf(laid)) +
    things(s, laid) +
    front +
    shadowsOf(before) +
    things(s, before)
  return at(400, 596, at(-400, -596, scene), { scale: 1.2 })
}

const things = (s: Sheet, laid: Laid[]) =>
  laid.map(([drawing, x, y, scale = 1, turn = 0]) => at(x, y, drawing(s), { scale, turn })).join('')

const shadowsOf = (laid: Laid[]) =>
  laid
    .map(([, x, y, scale = 1, , shadow = 1]) =>
      shadow > 0 ? oval(x + 14, y + 80 * scale * shadow, 94 * scale * shadow, 26 * scale * shadow, '#3a2410', 'opacity=".2"') : '',
    )
    .join('')

function room(s: Sheet, [light, dark]: [string, string], random: ReturnType<typeof chance>): string {
  return (
    `<rect width="800" height="600" fill="${s.linear([
      [0, light],
      [1, dark],
    ])}"/>` +
    shape('M120 0H330L560 400H300Z', '#fffaf0', 'opacity=".35"') +
    shape('M400 0H520L760 400H620Z', '#fffaf0', 'opacity=".28"') +
    (light === CLAY[0]
      ? alponaBand(800, 190)
      : `<g opacity=".14">${palm(random(520, 740), 330, random(200, 260), '#5c6b35', random(-40, 30))}</g>`) +
    shape(
      'M0 372H800V600H0Z',
      s.linear([
        [0, '#c58f57'],
        [0.06, '#b37d47'],
        [1, '#8a5a2f'],
      ]),
    ) +
    shape('M0 372H800v7H0Z', '#e0b27c', 'opacity=".8"') +
    [0, 1, 2, 3].map((i) => line(`M0 ${424 + i * 52 + random(-6, 6)}Q400 ${418 + i * 54} 800 ${426 + i * 52}`, '#6f4623', 3, 0.35)).join('')
  )
}

function underneath(s: Sheet, under: Under): [behind: string, before: string] {
  switch (under) {
    case 'leaf':
      return [
        shape('M50 470C150 350 520 330 768 420C700 560 300 590 50 470Z', '#3c2410', 'opacity=".2" transform="translate(8 14)"') +
          shape(
            'M50 470C150 350 520 330 768 420C700 560 300 590 50 470Z',
            s.linear([
              [0, '#7fb35a'],
              [0.5, '#5b9a48'],
              [1, '#3d7a3a'],
            ]),
          ) +
          line('M50 470C260 450 540 440 768 420', '#c9e3a0', 6, 0.8) +
          [...Array(13).keys()]
            .map((i) =>
              line(
                `M${110 + i * 50} ${466 - i * 3.4}q24 ${-40 - (i % 3) * 5} 62 ${-66 + Math.abs(i - 6) * 6}M${110 + i * 50} ${466 - i * 3.4}q30 ${28} 70 ${58 - Math.abs(i - 6) * 5}`,
                '#b5d68c',
                2.5,
                0.5,
              ),
            )
            .join(''),
        '',
      ]
    case 'basket':
      return [
        oval(410, 560, 330, 34, '#3a2410', 'opacity=".28"') +
          shape('M120 420H680L640 540H160Z', '#8a5c2c') +
          oval(400, 424, 282, 58, '#6f4720'),
        basketFront(s),
      ]
    case 'cloth':
      return [
        shape('M70 420L720 402L772 556L30 574Z', '#3a2410', 'opacity=".18" transform="translate(6 10)"') +
          shape(
            'M70 420L720 402L772 556L30 574Z',
            s.linear([
              [0, '#fffaf0'],
              [1, '#efe3cc'],
            ]),
          ) +
          line('M92 432L706 416L752 546L56 562Z', '#a8452a', 5, 0.85) +
          `<path d="M104 440L696 424L738 540L72 555Z" fill="none" stroke="#a8452a" stroke-width="2.5" stroke-dasharray="9 7" opacity=".7"/>`,
        '',
      ]
    case 'board':
      return [
        shape(
          'M110 450C110 420 150 410 190 408L620 400C670 400 700 420 706 450L724 520C726 546 700 556 660 556H150C110 556 92 546 96 518Z',
          '#3a2410',
          'opacity=".25" transform="translate(6 12)"',
        ) +
          shape(
            'M110 450C110 420 150 410 190 408L620 400C670 400 700 420 706 450L724 520C726 546 700 556 660 556H150C110 556 92 546 96 518Z',
            s.linear([
              [0, '#e6c391'],
              [1, '#cfa368'],
            ]),
          ) +
          line('M130 470Q400 440 690 466M120 506Q400 476 706 502M140 538Q400 516 690 534', '#a87a42', 3, 0.4),
        '',
      ]
  }
}

function basketFront(s: Sheet): string {
  const clip = s.clip('<path d="M118 438C200 500 600 500 682 438L640 566C560 592 240 592 160 566Z"/>')
  let weave = ''
  for (let row = 0; row < 7; row++)
    for (let col = 0; col < 17; col++) {
      const odd = (row + col) % 2
      weave += `<rect x="${104 + col * 36}" y="${440 + row * 22 + Math.abs(8 - col) * -3}" width="37" height="21" rx="7" fill="${odd ? '#d9a862' : '#b9823f'}"/>`
    }
  return (
    `<g clip-path="${clip}"><rect x="100" y="430" width="600" height="180" fill="#8a5c2c"/>${weave}<rect x="100" y="430" width="600" height="180" fill="${s.linear(
      [
        [0, '#fff3d0', 0.18],
        [0.3, '#000', 0],
        [1, '#2a1608', 0.45],
      ],
    )}"/></g>` +
    line('M118 432C200 496 600 496 682 432', '#a8712f', 20) +
    line('M120 428C202 490 598 490 680 428', '#e0b26c', 7) +
    `<path d="M118 432C200 496 600 496 682 432" fill="none" stroke="#7d5220" stroke-width="20" stroke-dasharray="4 20" opacity=".5"/>`
  )
}
