// The yellow tag, hanging from (0, 0). There are no letters to print with, so digits are drawn.
import { line } from './sheet.ts'

const STROKES: Record<string, string> = {
  0: 'M1 2.5Q1 0 3 0T5 2.5V7.5Q5 10 3 10T1 7.5Z',
  1: 'M1.5 2L3.5 0V10',
  2: 'M1 2.5Q1 0 3 0T5 2.5Q5 4 1 10H5.2',
  3: 'M1 .8Q2 0 3 0Q5 0 5 2.4T2.6 4.8Q5.2 4.8 5.2 7.4T3 10Q1.6 10 .8 9',
  4: 'M4 10V0L.6 7H5.4',
  5: 'M5 0H1.4L1.2 4.4Q2 3.8 3 3.8Q5.2 3.8 5.2 6.8T3 10Q1.6 10 .8 9',
  6: 'M4.6 .2Q1 2 1 6.6Q1 10 3 10T5.2 7Q5.2 4.4 3.2 4.4T1 6.8',
  7: 'M.8 0H5.2L2.4 10',
  8: 'M3 4.6Q1.2 4.4 1.2 2.2T3 0T4.8 2.2T3 4.6Q.8 5 .8 7.4T3 10T5.2 7.4T3 4.6Z',
  9: 'M1.4 9.8Q5 8 5 3.4Q5 0 3 0T.8 3T2.8 5.6T5 3.2',
  B: 'M1 0V10H3Q5.2 10 5.2 7.4T3 4.8H1H2.8Q4.8 4.8 4.8 2.4T2.8 0Z',
  K: 'M1 0V10M5.2 0L1 5.4M2.4 4L5.4 10',
  '-': 'M1.4 5H4.6',
}

/** Strokes of a text of digits, K, B and hyphen, centred on x = 0 with its top at y = 0. */
export function tagText(text: string, height: number, colour = '#1c2a20'): string {
  const scale = height / 10
  const width = text.length * 7.4 - 1.4
  return `<g transform="scale(${scale}) translate(${-width / 2} 0)">${[...text]
    .map((letter, i) => `<g transform="translate(${i * 7.4} 0)">${line(STROKES[letter] ?? '', colour, 1.5)}</g>`)
    .join('')}</g>`
}

/** `mirrored` when the animal it hangs on is drawn mirrored: the number must still be read. */
export function earTag(text = '', mirrored = false): string {
  return `<path d="M-15 4Q-15 -2 -9 -2H-5L0 -8L5 -2H9Q15 -2 15 4V28Q15 34 9 34H-9Q-15 34 -15 28Z" fill="#f6c51b"/>
    <path d="M-15 26V28Q-15 34 -9 34H9Q15 34 15 28V26Q15 31 9 31H-9Q-15 31 -15 26Z" fill="#c99a0c"/>
    <circle cx="0" cy="2" r="2.6" fill="#7a5a08"/>
    ${text ? `<g transform="translate(0 12) scale(${mirrored ? -1 : 1} 1)">${tagText(text.replace(/^.-/, ''), 11)}</g>` : ''}`
}
