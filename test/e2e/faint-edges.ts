// Finds fields whose edge is too pale for weak eyes. Runs in the page and must not use anything outside of itself.

/** Each shown field whose edge and background both have a contrast below 3 to 1 with what is around it (WCAG 1.4.11). */
export function findFaintEdges(): string[] {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!
  type Color = [number, number, number, number]
  /** Red, green and blue from 0 to 255, and the opacity from 0 to 1. */
  const read = (color: string): Color => {
    context.clearRect(0, 0, 1, 1)
    context.fillStyle = color
    context.fillRect(0, 0, 1, 1)
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data
    return [red!, green!, blue!, alpha! / 255]
  }
  const over = (top: Color, below: Color): Color => {
    const mix = (at: 0 | 1 | 2) => top[at] * top[3] + below[at] * (1 - top[3])
    return [mix(0), mix(1), mix(2), 1]
  }
  const backgroundOf = (element: Element | null): Color => {
    if (element === null) return [255, 255, 255, 1]
    const own = read(getComputedStyle(element).backgroundColor)
    return own[3] === 1 ? own : over(own, backgroundOf(element.parentElement))
  }
  const luminance = ([red, green, blue]: Color) => {
    const [r, g, b] = [red, green, blue].map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
  }
  const contrast = (one: Color, other: Color) => {
    const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
    return (high! + 0.05) / (low! + 0.05)
  }
  const fields = document.querySelectorAll(
    'input:not([type=hidden], [type=checkbox], [type=radio], [type=file], [type=range]), select, textarea',
  )
  return [...fields]
    .filter((field) => field.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !field.matches(':disabled'))
    .map((field) => {
      const { borderBottomColor, borderBottomWidth } = getComputedStyle(field)
      const [around, inside] = [backgroundOf(field.parentElement), backgroundOf(field)]
      const edge = borderBottomWidth === '0px' ? inside : over(read(borderBottomColor), inside)
      return { field, best: Math.max(contrast(edge, around), contrast(inside, around)) }
    })
    .filter(({ best }) => best < 3)
    .map(({ field, best }) => `faint edge: ${field.localName} ${field.getAttribute('name') ?? field.id} ${best.toFixed(2)}`)
}
