// Draws a receipt that the browser has laid out: its words, borders and QR code, at the places that they have in the document. So every
// line of the HTML receipt is printed, in both scripts, and there is no second layout.
import { dither } from './receipt-image.ts'
import { BAND_ROWS, type Bitmap, toBitmap } from './escpos.ts'

interface Word {
  text: string
  x: number
  /** Top of the line box. */
  y: number
  font: { style: string; weight: string; size: number; family: string }
}
interface Rule {
  from: [x: number, y: number]
  to: [x: number, y: number]
  thickness: number
  isDashed: boolean
}
interface Shape {
  path: string
  fill: string
  x: number
  y: number
  scale: number
}
interface Image {
  element: HTMLImageElement
  x: number
  y: number
  width: number
  height: number
}
/** In CSS pixels from the top left corner of the receipt. */
interface Drawing {
  width: number
  height: number
  words: Word[]
  rules: Rule[]
  shapes: Shape[]
  images: Image[]
}

/** Printers have 203 dots an inch, which is 8 dots a millimetre. */
const DOTS_PER_MM = 8

/** The receipt as bitmaps of at most `BAND_ROWS` rows. The element must be in the document, with its fonts loaded. */
export function drawReceipt(receipt: HTMLElement, dots: number): Bitmap[] {
  const drawing = layOut(receipt, dots)
  const scale = dots / drawing.width
  const height = Math.ceil(drawing.height * scale)
  const canvas = document.createElement('canvas')
  canvas.width = dots
  canvas.height = BAND_ROWS
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('No canvas')
  const bitmaps: Bitmap[] = []
  for (let top = 0; top < height; top += BAND_ROWS) {
    const rows = Math.min(BAND_ROWS, height - top)
    paint(context, drawing, scale, top)
    bitmaps.push(toBitmap(context.getImageData(0, 0, dots, rows).data, dots, rows))
  }
  return bitmaps
}

/** Lays a copy of the receipt out at the printable width, without its margins. */
function layOut(receipt: HTMLElement, dots: number): Drawing {
  const copy = receipt.cloneNode(true) as HTMLElement
  Object.assign(copy.style, {
    position: 'absolute',
    left: '0',
    top: '-100000px',
    margin: '0',
    padding: '0',
    width: `${dots / DOTS_PER_MM}mm`,
  })
  // Widths without rounding to screen pixels: they are scaled up to dots.
  copy.style.textRendering = 'geometricPrecision'
  copy.setAttribute('aria-hidden', 'true')
  receipt.after(copy)
  try {
    const { width, height } = copy.getBoundingClientRect()
    const drawing: Drawing = { width, height, words: [], rules: [], shapes: [], images: [] }
    collect(copy, drawing)
    return drawing
  } finally {
    copy.remove()
  }
}

function collect(root: HTMLElement, drawing: Drawing): void {
  const origin = root.getBoundingClientRect()
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element && !isShown(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  )
  while (walker.nextNode()) {
    const node = walker.currentNode
    if (node instanceof SVGPathElement) addShape(node, origin, drawing)
    else if (node instanceof HTMLImageElement) addImage(node, origin, drawing)
    else if (node instanceof HTMLElement) addBorders(node, origin, drawing)
    else if (node instanceof Text) addWords(node, origin, drawing)
  }
}

/** Texts for screen readers are boxes of one pixel. */
function isShown(element: Element): boolean {
  const { display, visibility, position } = getComputedStyle(element)
  if (display === 'none' || visibility === 'hidden') return false
  const { width, height } = element.getBoundingClientRect()
  return position !== 'absolute' || width > 1 || height > 1
}

function addWords(node: Text, origin: DOMRect, { words }: Drawing): void {
  const style = getComputedStyle(node.parentElement!)
  const isUpper = style.textTransform === 'uppercase'
  const font = { style: style.fontStyle, weight: style.fontWeight, size: Number.parseFloat(style.fontSize), family: style.fontFamily }
  for (const { index, 0: word } of node.data.matchAll(/\S+/g))
    for (const part of partsOf(node, index, word)) {
      const text = isUpper ? part.text.toUpperCase() : part.text
      words.push({ text, x: part.box.left - origin.left, y: part.box.top - origin.top, font })
    }
}

/** A word and its box; a long word that continues in the next line is one part a line. */
function partsOf(node: Text, start: number, word: string): { text: string; box: DOMRect }[] {
  const boxOf = (from: number, to: number) => {
    const range = document.createRange()
    range.setStart(node, from)
    range.setEnd(node, to)
    return [...range.getClientRects()].filter(({ width }) => width > 0)
  }
  const boxes = boxOf(start, start + word.length)
  if (boxes.length <= 1) return boxes.map((box) => ({ text: word, box }))
  const parts: { text: string; box: DOMRect }[] = []
  for (const { segment, index } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(word)) {
    const box = boxOf(start + index, start + index + segment.length)[0]
    const last = parts.at(-1)
    if (last && (!box || Math.abs(box.top - last.box.top) < 1)) last.text += segment
    else if (box) parts.push({ text: segment, box })
  }
  return parts
}

function addBorders(element: HTMLElement, origin: DOMRect, { rules }: Drawing): void {
  const style = getComputedStyle(element)
  const box = element.getBoundingClientRect()
  const [left, top, right, bottom] = [box.left - origin.left, box.top - origin.top, box.right - origin.left, box.bottom - origin.top]
  const add = (side: 'top' | 'right' | 'bottom' | 'left', from: [number, number], to: [number, number]) => {
    const line = style.getPropertyValue(`border-${side}-style`)
    const thickness = Number.parseFloat(style.getPropertyValue(`border-${side}-width`))
    if (line !== 'none' && line !== 'hidden' && thickness > 0) rules.push({ from, to, thickness, isDashed: line !== 'solid' })
  }
  add('top', [left, top], [right, top])
  add('bottom', [left, bottom], [right, bottom])
  add('left', [left, top], [left, bottom])
  add('right', [right, top], [right, bottom])
}

/** A picture that is not loaded, such as without network, is left out. */
function addImage(element: HTMLImageElement, origin: DOMRect, { images }: Drawing): void {
  const { left, top, width, height } = element.getBoundingClientRect()
  if (!element.complete || element.naturalWidth === 0 || width === 0 || height === 0) return
  images.push({ element, x: left - origin.left, y: top - origin.top, width, height })
}

function addShape(path: SVGPathElement, origin: DOMRect, { shapes }: Drawing): void {
  const svg = path.ownerSVGElement
  const width = svg?.viewBox.baseVal.width
  if (!svg || !width) return
  const box = svg.getBoundingClientRect()
  const d = path.getAttribute('d') ?? ''
  const fill = path.getAttribute('fill') ?? '#000'
  shapes.push({ path: d, fill, x: box.left - origin.left, y: box.top - origin.top, scale: box.width / width })
}

/** Paints the part of the drawing that begins at dot row `top`. */
function paint(context: CanvasRenderingContext2D, drawing: Drawing, scale: number, top: number): void {
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.fillStyle = '#fff'
  context.fillRect(0, 0, context.canvas.width, BAND_ROWS)
  for (const { path, fill, x, y, scale: own } of drawing.shapes) {
    context.setTransform(scale * own, 0, 0, scale * own, Math.round(x * scale), Math.round(y * scale) - top)
    context.fillStyle = fill
    const outline = new Path2D(path)
    // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas, not an array
    context.fill(outline)
  }
  context.setTransform(1, 0, 0, 1, 0, -top)
  for (const image of drawing.images) paintImage(context, image, scale)
  context.strokeStyle = context.fillStyle = '#000'
  for (const { from, to, thickness, isDashed } of drawing.rules) {
    context.lineWidth = Math.max(1, Math.round(thickness * scale))
    context.setLineDash(isDashed ? [6, 6] : [])
    context.beginPath()
    context.moveTo(from[0] * scale, Math.round(from[1] * scale) + 0.5)
    context.lineTo(to[0] * scale, Math.round(to[1] * scale) + 0.5)
    context.stroke()
  }
  context.textBaseline = 'alphabetic'
  context.textRendering = 'geometricPrecision'
  for (const { text, x, y, font } of drawing.words) {
    if (y * scale > top + BAND_ROWS || (y + font.size * 3) * scale < top) continue
    context.font = `${font.style} ${font.weight} ${font.size * scale}px ${font.family}`
    context.fillText(text, x * scale, y * scale + context.measureText(text).fontBoundingBoxAscent)
  }
}

/** Dithers the picture at the size of its dots. It keeps its proportions in its box, as `object-fit: contain` does. */
function paintImage(context: CanvasRenderingContext2D, { element, x, y, width, height }: Image, scale: number): void {
  const fit = Math.min(width / element.naturalWidth, height / element.naturalHeight) * scale
  const [dotsWide, dotsHigh] = [Math.max(1, Math.round(element.naturalWidth * fit)), Math.max(1, Math.round(element.naturalHeight * fit))]
  const canvas = document.createElement('canvas')
  canvas.width = dotsWide
  canvas.height = dotsHigh
  const own = canvas.getContext('2d', { willReadFrequently: true })
  if (!own) throw new Error('No canvas')
  own.drawImage(element, 0, 0, dotsWide, dotsHigh)
  const pixels = own.getImageData(0, 0, dotsWide, dotsHigh)
  dither(pixels.data, dotsWide, dotsHigh)
  own.putImageData(pixels, 0, 0)
  context.drawImage(canvas, Math.round(x * scale + (width * scale - dotsWide) / 2), Math.round(y * scale + (height * scale - dotsHigh) / 2))
}
