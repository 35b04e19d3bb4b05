// Finds labels that are longer than their place. `findTightLabels` runs in the page and must not use anything outside of itself.

/** Where cutting or wrapping is by design, as CSS selectors. */
export const BY_DESIGN = [
  // Names and addresses have any length; the title holds the whole text.
  '[title]',
  '.line-clamp-2, .line-clamp-3',
  // Specified texts, longer than a card of a phone: two lines.
  '.btn-wait',
  // For screen readers only.
  '.sr-only',
]

/** Each label of the page that is cut, wraps where one line is the design, or pushes a field below its neighbour. */
export function findTightLabels(byDesign: string[]): string[] {
  const found = new Set<string>()
  const isAllowed = (element: Element) => byDesign.some((selector) => element.closest(selector) !== null)
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && element.getBoundingClientRect().width > 2
  const nameOf = (element: Element) => {
    const classes = [...element.classList].slice(0, 2).join('.')
    return `${element.localName}${classes && `.${classes}`} “${(element.textContent ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 50)}”`
  }
  /** The boxes of the text inside, line by line; without what is only for screen readers. */
  const textBoxes = (element: Element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const boxes: DOMRect[] = []
    const range = document.createRange()
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.textContent?.trim() || isAllowed(node.parentElement!) || !isShown(node.parentElement!)) continue
      range.selectNodeContents(node)
      boxes.push(...[...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 6))
    }
    return boxes
  }
  const linesOf = (element: Element) => {
    const rects = textBoxes(element)
    const tops = rects.map(({ top, height }) => top + height / 2).sort((a, b) => a - b)
    return tops.filter((top, index) => index === 0 || top - tops[index - 1]! > 9).length
  }
  const canvas = document.createElement('canvas').getContext('2d')!
  const widthOf = (text: string, style: CSSStyleDeclaration) => {
    canvas.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
    return canvas.measureText(text).width
  }
  const all = [...document.querySelectorAll<HTMLElement>('body *')].filter(isShown)

  if (document.documentElement.scrollWidth > innerWidth + 1) {
    const wide = all.find((element) => element.getBoundingClientRect().right > innerWidth + 1 && !element.closest('.overflow-x-auto'))
    found.add(`page wider than the screen: ${wide ? nameOf(wide) : ''}`)
  }
  for (const element of all) {
    if (isAllowed(element) || !element.textContent?.trim()) continue
    const style = getComputedStyle(element)
    const isClipped = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
    if (!isClipped(style.overflowX) || element.scrollWidth <= element.clientWidth + 1 || style.display === 'inline') continue
    const { left, right } = element.getBoundingClientRect()
    // Ornaments may lie beyond the edge, words may not.
    if (textBoxes(element).some((box) => box.right > right + 1 || box.left < left - 1))
      found.add(`cut: ${nameOf(element)} ${element.scrollWidth} > ${element.clientWidth}`)
  }
  for (const field of all) {
    if (isAllowed(field)) continue
    const style = getComputedStyle(field)
    const room = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)
    if (
      field instanceof HTMLInputElement &&
      field.placeholder &&
      field.value === '' &&
      !['date', 'month', 'datetime-local'].includes(field.type)
    ) {
      if (widthOf(field.placeholder, style) > room + 1) found.add(`placeholder cut: “${field.placeholder}” ${Math.round(room)} px`)
    }
    if (field instanceof HTMLSelectElement) {
      const text = field.selectedOptions[0]?.text ?? ''
      // The arrow of the browser takes some 20 px.
      if (widthOf(text, style) > field.clientWidth - Number.parseFloat(style.paddingLeft) - 20)
        found.add(`select cut: “${text}” ${field.clientWidth} px`)
    }
  }
  // One line by design: buttons, tabs, states, menu entries.
  const oneLine = '.btn, .chip, .sidebar-link, [role=tab], main nav a, summary.sidebar-link'
  for (const element of all)
    if (element.matches(oneLine) && !isAllowed(element) && !element.querySelector('br, .block') && linesOf(element) > 1)
      found.add(`wraps: ${nameOf(element)}`)
  // A head of a table takes two lines at the most, and breaks no word.
  for (const head of all)
    if (head.matches('thead th') && !isAllowed(head) && linesOf(head) > 2) found.add(`table head wraps: ${nameOf(head)}`)
  // Fields side by side stay level.
  for (const row of all) {
    const style = getComputedStyle(row)
    if (style.display !== 'grid' || style.gridTemplateColumns.split(' ').length < 2) continue
    const cells = [...row.children].flatMap((cell) => {
      const label = cell.matches(':has(> label)') ? cell.querySelector('label') : null
      const control = cell.querySelector('input:not([type=checkbox], [type=radio]), select, textarea')
      return label && control && isShown(cell) && isShown(label) && isShown(control)
        ? [{ label, top: cell.getBoundingClientRect().top, control: control.getBoundingClientRect().top }]
        : []
    })
    for (const one of cells)
      for (const other of cells)
        if (Math.abs(one.top - other.top) < 1 && one.control - other.control > 1.5) found.add(`field pushed down: ${nameOf(one.label)}`)
  }
  return [...found]
}
