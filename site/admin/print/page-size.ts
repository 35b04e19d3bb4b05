/** The size of the printed page, in millimetres and without margins. */
export interface PageSize {
  set(width: number, height: number): void
  remove(): void
}

/**
 * Adds a style sheet for the size of the printed page. Browsers that cannot make one in a script (before Safari 16.4 and Firefox 101) print in
 * the size that is chosen in their dialog.
 */
export function addPageSize(): PageSize {
  if (!('adoptedStyleSheets' in document)) return { set: () => {}, remove: () => {} }
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  return {
    set: (width, height) => sheet.replaceSync(`@page { size: ${width}mm ${height}mm; margin: 0 }`),
    remove: () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    },
  }
}
