import './receipt.css'
import { type ReactNode, useEffect, useRef } from 'react'
import { PAPER_MM } from '../../pos/hardware/device-settings.ts'
import { useDevices } from '../../pos/hardware/use-devices.ts'
import { addPageSize } from './page-size.ts'

/** A print view on the roll of this counter, 80 mm unless its settings say 58 mm, and as long as its content. */
export function ReceiptRoll({ children }: { children: ReactNode }) {
  const receipt = useRef<HTMLElement>(null)
  const width = PAPER_MM[useDevices().printer.dots]
  // Sets the page height to the receipt's, so that the printer cuts after it.
  useEffect(() => {
    const size = addPageSize()
    const measure = () => {
      // 96 CSS pixels are 25.4 mm.
      const millimetres = Math.ceil(((receipt.current?.offsetHeight ?? 0) * 25.4) / 96) + 2
      size.set(width, millimetres)
    }
    measure()
    window.addEventListener('beforeprint', measure)
    void document.fonts.ready.then(measure)
    return () => {
      window.removeEventListener('beforeprint', measure)
      size.remove()
    }
  }, [width])
  return (
    <article ref={receipt} data-receipt={width} className="mx-auto my-6 bg-white p-[4mm] shadow-soft print:m-0 print:shadow-none">
      {children}
    </article>
  )
}
