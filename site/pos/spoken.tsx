import type { ReactNode } from 'react'
import type { ScanFeedback } from './use-scan-feedback.ts'

/** Told to screen readers alone: a cashier who sees the line needs no message. */
export function Spoken({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="sr-only">
      {children}
    </p>
  )
}

/** The product that a scan or a press has added, again for each time. Rejections are toasts. */
export function Added({ feedback }: { feedback: ScanFeedback | null }) {
  return feedback?.kind === 'accepted' ? <span key={feedback.key}>{feedback.text}</span> : null
}
