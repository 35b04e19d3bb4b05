import type { QrDrawing } from '#lib/codes/qr-code.server.ts'

/** A QR code from the server as SVG: black on white, sharp at any print size. */
export function QrCode({ drawing, label, className = '' }: { drawing: QrDrawing; label: string; className?: string }) {
  return (
    <svg viewBox={`0 0 ${drawing.size} ${drawing.size}`} role="img" aria-label={label} shapeRendering="crispEdges" className={className}>
      <path fill="#fff" d={`M0 0h${drawing.size}v${drawing.size}H0z`} />
      <path fill="#000" d={drawing.path} />
    </svg>
  )
}
