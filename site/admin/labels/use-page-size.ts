import { useEffect } from 'react'
import type { LabelSize } from '#features/catalog/labels/label-rules.ts'

/** Sets the page size without margins, so that labels match the positions on the sheet. */
export function usePageSize({ page: [width, height] }: LabelSize): void {
  useEffect(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`@page { size: ${width}mm ${height}mm; margin: 0 }`)
    document.adoptedStyleSheets.push(sheet)
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    }
  }, [width, height])
}
