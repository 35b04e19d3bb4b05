import type { ReactNode } from 'react'

interface ScrollAreaProps {
  /** Names the area for screen readers. */
  label: string
  /** Further classes: a maximum height, a border. */
  className?: string
  children: ReactNode
}

/** A table that scrolls by itself when it is too wide or too long. It takes the focus, so that arrow keys scroll it in every browser. */
export function ScrollArea({ label, className = '', children }: ScrollAreaProps) {
  return (
    <div tabIndex={0} role="region" aria-label={label} className={`overflow-auto ${className}`}>
      {children}
    </div>
  )
}
