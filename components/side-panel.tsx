import { type ReactNode, useEffect, useId, useRef } from 'react'
import { CloseIcon } from './icons.tsx'

interface SidePanelProps {
  /** Called for every way to close: the cross, Escape, a tap on the backdrop while nothing is typed. */
  onClose: () => void
  title: ReactNode
  closeLabel: string
  children: ReactNode
}

/** A panel at the side of a wide screen, full-screen on a phone. Open while it is mounted. Focus stays inside and returns afterwards. */
export function SidePanel({ onClose, title, closeLabel, children }: SidePanelProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const hasInput = useRef(false)
  useEffect(() => {
    const cameFrom = document.activeElement
    if (dialog.current?.open === false) dialog.current.showModal()
    // A dialog that closes returns the focus; one that is unmounted while open, as after a choice in it, does not.
    return () => {
      if (document.activeElement === document.body && cameFrom instanceof HTMLElement) cameFrom.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className="rise my-0 me-0 ms-auto h-dvh max-h-none w-full max-w-full bg-paper p-0 shadow-soft sm:max-w-md"
      onClose={(event) => {
        // React bubbles the close event of a nested dialog.
        if (event.target === event.currentTarget) onClose()
      }}
      onInput={() => {
        hasInput.current = true
      }}
      onClick={(event) => {
        // A click on the backdrop must not discard typed input.
        if (!hasInput.current && event.target === event.currentTarget) event.currentTarget.close()
      }}
    >
      <div className="flex h-full flex-col">
        <div className="flex items-center justify-between gap-3 border-b border-line bg-milk px-4 py-2 sm:px-6">
          <h2 id={titleId} className="text-xl">
            {title}
          </h2>
          <button
            type="button"
            aria-label={closeLabel}
            className="-me-2 grid size-11 shrink-0 place-items-center rounded-pill hover:bg-leaf-100"
            onClick={() => dialog.current?.close()}
          >
            <CloseIcon />
          </button>
        </div>
        <div className="grow overflow-y-auto overscroll-contain px-4 py-4 sm:px-6">{children}</div>
      </div>
    </dialog>
  )
}
