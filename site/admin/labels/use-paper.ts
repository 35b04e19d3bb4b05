import { useEffect } from 'react'
import type { LabelSize } from '#features/catalog/labels/label-rules.ts'

/** Tells the printer the paper of these labels, without margins: every label lies where its maker says. */
export function usePaper({ page: [width, height] }: LabelSize): void {
  useEffect(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`@page { size: ${width}mm ${height}mm; margin: 0 }`)
    document.adoptedStyleSheets.push(sheet)
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    }
  }, [width, height])
}
