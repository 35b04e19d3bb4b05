// One of each, about 200 across around (0, 0), light from the upper left.
import { at, chance, line, oval, shape, type Sheet } from './sheet.ts'

type Drawing = (s: Sheet) => string

const LEAF = 'M0 0C10 -22 44 -36 78 -30C66 -4 32 12 0 0Z'

function leaf(x: number, y: number, turn: number, scale = 1, colour = '#3f7f3c'): string {
  return at(x, y, shape(LEAF, colour) + line('M4 -2C28 -14 50 -22 70 -27', '#a9cf8a', 2.5, 0.7), { turn, scale })
}

const shine = (x: number, y: number, rx: number, ry: number, turn = -30, opacity = 0.55) =>
  oval(x, y, rx, ry, '#fffdf0', `opacity="${opacity}" transform="rotate(${turn} ${x} ${y})"`)

function ball(s: Sheet, r: number, light: string, base: string, dark: string, squash = 1): string {
  return oval(0, 0, r, r * squash, s.radial([[0, light], [0.55, base], [1, dark]], 0.35, 0.28, 0.8))
}

export function mango(light: string, base: string, dark: string, blush: string): Drawing {
  const body = 'M-14 -86C40 -96 92 -52 92 4C92 60 40 92 -16 92C-64 92 -100 70 -98 46C-96 28 -72 22 -62 -10C-54 -40 -52 -78 -14 -86Z'
  return (s) => shape(body, s.radial([[0, light], [0.5, base], [1, dark]], 0.4, 0.3, 0.8)) +
    shape(body, s.radial([[0, blush, 0.75], [0.8, blush, 0]], 0.72, 0.22, 0.6)) + shine(-14, -40, 9, 32, 24) + shine(6, -62, 6, 10, 40, 0.4) +
    line('M4 -88C6 -98 12 -106 20 -110', '#6b4a2b', 7) + leaf(14, -104, -8, 1, '#3c7a3a')
}

export const jackfruit: Drawing = (s) => {
  const random = chance('jackfruit')
  const clip = s.clip('<ellipse rx="84" ry="116"/>')
  let knobs = ''
  for (let row = -9; row <= 9; row++) {
    for (let col = -7; col <= 7; col++) {
      const [x, y] = [col * 13 + (row % 2 ? 6.5 : 0) + random(-1.5, 1.5), row * 13 + random(-1.5, 1.5)]
      knobs += oval(x, y, 5.6, 5.6, '#d3cf6e', 'opacity=".85"') + oval(x + 2, y + 2.4, 5, 5, '#7f8a2e', 'opacity=".32"')
    }
  }
  return line('M0 -112C-2 -128 4 -140 10 -146', '#6b5a2b', 13) + oval(0, 0, 84, 116, s.radial([[0, '#c9c862'], [0.6, '#a3a544'], [1, '#616a24']], 0.35, 0.25, 0.85)) +
    `<g clip-path="${clip}">${knobs}${oval(48, 30, 60, 120, s.radial([[0, '#2b3210', 0.5], [1, '#2b3210', 0]], 0.6, 0.5, 0.5))}</g>` + leaf(8, -132, -4, 1.1, '#3f7a38')
}

export const jackBulb: Drawing = (s) => shape('M0 -44C26 -40 36 -4 28 24C20 46 -20 46 -28 24C-36 -4 -24 -40 0 -44Z', s.radial([[0, '#ffe69a'], [0.6, '#f7c33c'], [1, '#d4941c']])) +
  shape('M0 -44C10 -30 8 -10 0 0C-8 -10 -10 -30 0 -44Z', '#c98a18', 'opacity=".5"') + shine(-12, 4, 5, 16, 8)

export const litchi: Drawing = (s) => {
  let scales = ''
  for (let row = -3; row <= 3; row++) for (let col = -3; col <= 3; col++) {
    const [x, y] = [col * 13 + (row % 2 ? 6 : 0), row * 12]
    if (x * x + y * y < 36 * 36) scales += oval(x, y, 4.4, 4, '#f2838a', 'opacity=".6"') + oval(x + 2, y + 2.5, 4, 3.4, '#7d1226', 'opacity=".25"')
  }
  return ball(s, 44, '#f0747b', '#cf3346', '#8c1430', 1.04) + scales + shine(-16, -18, 7, 10, 40, 0.35)
}

export const litchiOpen: Drawing = (s) => ball(s, 42, '#ffffff', '#f2eee6', '#cfc6bc') + shape('M-43 8C-44 36 -22 50 0 50C24 50 44 34 43 8C34 20 24 10 12 18C0 26 -10 12 -22 20C-32 24 -38 18 -43 8Z', '#cf3346') + shine(-14, -16, 7, 12, 40, 0.9)

export const guava: Drawing = (s) => ball(s, 78, '#e2eea0', '#b5cf63', '#748f35', 0.97) + shape('M-14 68C-8 60 8 60 14 68L8 80H-8Z', '#6f7f3a') + shine(-30, -34, 10, 24, 40) + line('M0 -76V-92', '#6b5a2b', 7) + leaf(2, -88, -10, 0.95)

export const guavaHalf: Drawing = (s) => oval(0, 0, 78, 75, '#a9c45a') + oval(0, 0, 72, 69, '#fdf6df') + oval(0, 0, 50, 47, s.radial([[0, '#f7a9a0'], [1, '#fbd3c5']], 0.5, 0.5, 0.6)) +
  [...Array(16).keys()].map((i) => at(0, 0, oval(0, -30 - (i % 3) * 5, 3.4, 4.6, '#efe2b0'), { turn: i * 22.5 })).join('') + [...Array(8).keys()].map((i) => at(0, 0, oval(0, -14, 3.2, 4, '#efe2b0'), { turn: i * 45 })).join('')

export const papaya: Drawing = (s) => {
  const body = 'M-20 -112C20 -120 56 -70 66 -6C76 62 44 112 0 114C-46 114 -76 62 -66 -6C-58 -60 -50 -104 -20 -112Z'
  return shape(body, s.linear([[0, '#8fae45'], [0.35, '#e6b83f'], [0.7, '#ef9a35'], [1, '#c9712a']], 80)) + shape(body, s.radial([[0, '#fff2b8', 0.5], [1, '#7a3f10', 0.35]], 0.32, 0.3, 0.9)) + shine(-30, -20, 8, 40, 6, 0.5) + line('M-6 -112L-4 -126', '#6b7a35', 10)
}

export const papayaHalf: Drawing = (s) => {
  const random = chance('papaya')
  const seeds = [...Array(30).keys()].map((i) => oval(random(-19, 19), -56 + i * 4.2, 6, 6, '#2b2622') + oval(random(-16, 12), -58 + i * 4.2, 2, 2, '#7b736a')).join('')
  return shape('M-16 -112C20 -118 54 -70 64 -6C74 62 42 112 0 114C-44 114 -74 62 -64 -6C-56 -60 -46 -104 -16 -112Z', '#d98b2c') +
    shape('M-14 -104C16 -110 48 -66 57 -6C66 58 38 104 0 106C-38 106 -66 58 -57 -6C-50 -56 -40 -98 -14 -104Z', s.radial([[0, '#f9793f'], [1, '#f5a04a']], 0.5, 0.55, 0.6)) +
    shape('M-6 -76C14 -74 30 -30 32 6C34 50 16 78 0 80C-16 78 -34 50 -32 6C-30 -30 -20 -74 -6 -76Z', '#c9502a') + seeds
}

/** A hand of bananas hanging from its stalk; `wide` makes them short and plump. */
export function bananas(light: string, base: string, dark: string, wide: number): Drawing {
  const length = 168 - wide * 4
  const one = `M${-10 - wide * 0.4} 0C${-22 - wide} ${length * 0.5} ${4 - wide * 0.4} ${length * 0.9} ${72 - wide} ${length}C${84 - wide} ${length + 2} ${88 - wide} ${length - 10} ${80 - wide} ${length - 16}
    C${44 + wide * 0.4} ${length * 0.8} ${26 + wide} ${length * 0.42} ${15 + wide * 0.4} 0Z`
  return (s) => {
    const skin = s.linear([[0, light], [0.45, base], [1, dark]], 160)
    return [30, 8, -14, -36, -58].map((turn, i) => at(0, -92, shape(one, skin) + line(`M2 14C-2 ${length * 0.46} ${20 - wide * 0.3} ${length * 0.8} ${66 - wide} ${length - 8}`, dark, 3, 0.5) +
      shape(`M${70 - wide} ${length - 6}l16 -12l6 10l-16 10Z`, '#5a4523'), { turn: turn - 6, scale: 1 - i * 0.02 })).join('') +
      shape('M-26 -104C-10 -118 24 -116 32 -96C26 -70 2 -62 -14 -70C-24 -78 -28 -94 -26 -104Z', '#a99a35') + line('M2 -106C0 -122 4 -134 12 -142', '#7d7a30', 17)
  }
}

export const pineapple: Drawing = (s) => {
  const clip = s.clip('<ellipse cy="30" rx="66" ry="88"/>')
  const lattice = [...Array(14).keys()].map((i) => line(`M-110 ${-90 + i * 24}L110 ${10 + i * 24}M110 ${-90 + i * 24}L-110 ${10 + i * 24}`, '#a8641a', 3.5, 0.6)).join('')
  let eyes = ''
  for (let row = -6; row < 9; row++) for (let col = -4; col < 5; col++) eyes += oval(col * 26.4 + (row % 2 ? 13.2 : 0), 26 + row * 12, 2.6, 3.4, '#7b4a16', 'opacity=".7"')
  const crown = [[-62, 0.8], [62, 0.8], [-42, 0.95], [42, 0.95], [-22, 1.1], [22, 1.1], [0, 1.22], [-32, 0.7], [32, 0.7]].map(([turn, scale]) =>
    at(0, -46, shape('M-13 0C-17 -34 -8 -66 0 -88C8 -66 17 -34 13 0Z', s.linear([[0, '#7db06a'], [1, '#2f6b39']])) + line('M0 -6V-70', '#cfe3a8', 2, 0.6), { turn, scale })).join('')
  return crown + oval(0, 30, 66, 88, s.radial([[0, '#ffd766'], [0.55, '#eda42e'], [1, '#a8641a']], 0.36, 0.28, 0.8)) + `<g clip-path="${clip}">${lattice}${eyes}</g>` + shine(-28, -14, 9, 28, 14, 0.4)
}

export const watermelon: Drawing = (s) => {
  const clip = s.clip('<ellipse rx="112" ry="96"/>')
  const stripes = [-88, -52, -16, 20, 56, 92].map((x) => `<path d="M${x} -100C${x * 1.5 - 16} -50 ${x * 1.5 + 12} -20 ${x * 1.46 - 6} 0S${x * 1.5 + 14} 60 ${x} 100L${x + 16} 100C${x * 1.5 + 30} 56 ${x * 1.5 + 8} 30 ${x * 1.46 + 18} 0S${x * 1.5 + 6} -56 ${x + 16} -100Z" fill="#1f5a2b" opacity=".85"/>`).join('')
  return oval(0, 0, 112, 96, s.radial([[0, '#8cc268'], [0.6, '#4d933f'], [1, '#1f5428']], 0.35, 0.28, 0.8)) + `<g clip-path="${clip}">${stripes}</g>` + shine(-44, -46, 14, 30, 46, 0.4)
}

export const watermelonSlice: Drawing = (s) => shape('M-112 -20A112 112 0 0 0 112 -20Z', '#2f6f35') + shape('M-103 -20A103 100 0 0 0 103 -20Z', '#eaf2c6') + shape('M-92 -20A92 88 0 0 0 92 -20Z', s.radial([[0, '#f25a56'], [1, '#e03a45']], 0.5, 0.1, 0.9)) +
  [[-56, 2], [-28, 26], [0, 4], [28, 28], [56, 2], [-2, 46]].map(([x, y]) => oval(x!, y!, 4, 7, '#2b1d1a', `transform="rotate(${x! / 2} ${x} ${y})"`)).join('')

export const greenCoconut: Drawing = (s) => shape('M-14 -96C46 -104 92 -60 92 2C92 62 52 100 0 100C-54 100 -92 60 -90 0C-88 -52 -60 -92 -14 -96Z', s.radial([[0, '#c5dd80'], [0.55, '#86b145'], [1, '#46702a']], 0.35, 0.28, 0.8)) +
  line('M-50 -60C-30 -20 -34 40 -46 72M34 -82C58 -30 58 30 40 84', '#4f7a2d', 4, 0.3) + shine(-40, -36, 12, 34, 24, 0.5) + shape('M-30 -90C-20 -104 22 -104 30 -88C20 -76 -20 -76 -30 -90Z', '#6b8a38')

export const openCoconut: Drawing = (s) => greenCoconut(s) + oval(0, -74, 56, 24, '#e9e3b9') + oval(0, -75, 46, 18, '#fffdf2') + oval(0, -72, 34, 12, s.radial([[0, '#eef6ee'], [1, '#b9cfc0']], 0.4, 0.3, 0.8)) + line('M12 -72L34 -150L58 -160', '#d2453f', 8) + line('M12 -72L34 -150', '#fff', 2, 0.5)

export function citrus(light: string, base: string, dark: string, squash = 0.95): Drawing {
  const random = chance(base)
  const pores = [...Array(30).keys()].map(() => oval(random(-50, 56), random(-46, 52), 1.8, 1.6, dark, 'opacity=".3"')).join('')
  return (s) => ball(s, 78, light, base, dark, squash) + pores + shine(-30, -30, 11, 22, 42, 0.5) + oval(4, -70, 7, 5, '#5b7a34') + leaf(6, -72, -8, 0.9)
}

export function citrusHalf(rind: string, flesh: string, light: string): Drawing {
  return (s) => oval(0, 0, 76, 74, rind) + oval(0, 0, 69, 67, '#fff6dd') + [...Array(9).keys()].map((i) => at(0, 0,
    shape('M0 -8C-14 -24 -20 -44 -15 -57C-8 -62 8 -62 15 -57C20 -44 14 -24 0 -8Z', s.radial([[0, light], [1, flesh]], 0.5, 0.2, 0.9)) + line('M-4 -28L-6 -48M4 -24L7 -44', light, 2, 0.7), { turn: i * 40 })).join('')
}

export const potato: Drawing = (s) => {
  const random = chance('potato')
  return shape('M-84 4C-86 -40 -46 -62 0 -58C50 -56 88 -34 86 8C84 46 42 62 -4 60C-50 58 -82 44 -84 4Z', s.radial([[0, '#ecd09a'], [0.55, '#cfa868'], [1, '#8d6a3a']], 0.35, 0.25, 0.85)) +
    [...Array(9).keys()].map(() => oval(random(-60, 64), random(-36, 42), random(3, 6), 2.4, '#7d5a2d', 'opacity=".5"')).join('') + shine(-34, -28, 9, 22, 60, 0.4)
}

export const onion: Drawing = (s) => shape('M0 -92C8 -64 30 -56 56 -38C92 -12 86 56 36 76C14 84 -14 84 -36 76C-86 56 -92 -12 -56 -38C-30 -56 -8 -64 0 -92Z', s.radial([[0, '#e8a0a8'], [0.5, '#b95a72'], [1, '#6f2a46']], 0.35, 0.35, 0.8)) +
  line('M0 -70C-50 -30 -66 30 -22 76M0 -70C50 -30 66 30 22 76M0 -70V80M-8 -60C-76 -20 -84 36 -40 72M8 -60C76 -20 84 36 40 72', '#7d2f4c', 2.6, 0.5) + shine(-34, -4, 8, 26, 16, 0.5) + line('M-8 84l-6 10M0 84v12M8 84l6 10', '#cbb28a', 3)

export const eggplant: Drawing = (s) => shape('M0 -64C46 -70 86 -34 88 20C90 70 48 96 0 96C-48 96 -90 70 -88 20C-86 -34 -46 -70 0 -64Z', s.radial([[0, '#a96fc4'], [0.5, '#6a2f87'], [1, '#35143f']], 0.34, 0.3, 0.8)) +
  shine(-36, -4, 9, 34, 20, 0.5) + shape('M-46 -54C-20 -78 20 -78 46 -54C34 -46 26 -40 22 -26C10 -44 -4 -44 -10 -24C-18 -40 -32 -44 -46 -54Z', '#5b8a3c') + line('M0 -68C2 -84 8 -92 16 -98', '#5b8a3c', 13)

export const carrot: Drawing = (s) => [-26, 0, 24].map((turn) => at(0, -92, line('M0 0C-4 -30 2 -46 0 -64', '#4f8a3f', 6) + [-1, 1, -1, 1, -1, 1].map((side, i) => oval(side * 11, -24 - i * 8, 13, 6, '#5f9c49', `transform="rotate(${side * -30} ${side * 11} ${-24 - i * 8})"`)).join(''), { turn })).join('') +
  shape('M-36 -84C-20 -100 20 -100 36 -84C40 -30 22 60 4 112C2 118 -4 118 -6 112C-24 60 -42 -30 -36 -84Z', s.linear([[0, '#ffb35c'], [0.5, '#f0862e'], [1, '#c2591a']], 0)) + line('M-30 -58h22M10 -36h20M-24 -8h20M8 18h14M-14 44h12', '#b9541a', 3, 0.55) + shine(-18, -48, 5, 26, 4, 0.45)

/** A length of cane lying along x, `length` long. */
export function caneStem(s: Sheet, length: number, light: string, base: string, dark: string, wide = 30): string {
  const skin = s.linear([[0, light], [0.4, base], [1, dark]])
  let joints = ''
  for (let x = 40; x < length - 12; x += 74) joints += shape(`M${x} ${-wide / 2 - 2}q7 ${wide / 2 + 2} 0 ${wide + 4}h9q7 ${-wide / 2 - 2} 0 ${-wide - 4}Z`, dark) + line(`M${x + 13} ${-wide / 2}q6 ${wide / 2} 0 ${wide}`, '#f0e6c0', 2.4, 0.7)
  return `<rect x="0" y="${-wide / 2}" width="${length}" height="${wide}" rx="5" fill="${skin}"/>` + joints + `<rect x="6" y="${-wide * 0.34}" width="${length - 12}" height="${wide * 0.13}" rx="2" fill="#fff" opacity=".3"/>` +
    oval(length, 0, wide * 0.26, wide / 2, '#f4ecc4') + oval(length, 0, wide * 0.17, wide * 0.36, '#e3d79c')
}

export const gurDisc: Drawing = (s) => shape('M-92 -10C-92 -34 -52 -48 0 -48S92 -34 92 -10V20C92 44 52 58 0 58S-92 44 -92 20Z', s.linear([[0, '#b5722c'], [0.3, '#a8642a'], [1, '#6a3914']])) + oval(0, -10, 92, 38, s.radial([[0, '#e0a254'], [1, '#b9762f']], 0.35, 0.25, 0.9)) + oval(-14, -16, 50, 16, '#eab76c', 'opacity=".5"')

export const gurChunk: Drawing = (s) => shape('M-60 14L-40 -32L14 -44L56 -14L50 30L-8 46Z', s.linear([[0, '#d8994c'], [1, '#8d5220']])) + shape('M-40 -32L14 -44L56 -14L4 0Z', '#e6b064') + line('M4 0L-8 46', '#8d5220', 3, 0.6)
