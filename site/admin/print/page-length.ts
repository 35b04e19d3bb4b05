import { type RefObject, useEffect } from 'react'

/** Sets the page height to the receipt's, so that the printer cuts after it. */
export function usePageAsLongAs(slip: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const sheet = new CSSStyleSheet()
    const measure = () => {
      // 96 CSS pixels are 25.4 mm.
      const millimetres = Math.ceil(((slip.current?.offsetHeight ?? 0) * 25.4) / 96) + 2
      sheet.replaceSync(`@page { size: 80mm ${millimetres}mm; margin: 0 }`)
    }
    measure()
    document.adoptedStyleSheets.push(sheet)
    window.addEventListener('beforeprint', measure)
    void document.fonts.ready.then(measure)
    return () => {
      window.removeEventListener('beforeprint', measure)
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    }
  }, [slip])
}
