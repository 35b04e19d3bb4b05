import { type ReactNode, type Ref, useEffect, useId, useImperativeHandle, useRef } from 'react'
import { CloseIcon } from './icons.tsx'

interface DialogProps {
  open: boolean
  /** Called for every way to close: the cross, Escape, the back button of a phone, a tap on the backdrop while nothing is typed. */
  onClose: () => void
  title: ReactNode
  children?: ReactNode
  /** Buttons, the main one last. */
  actions?: ReactNode
  closeLabel: string
  /** No cross, and a tap on the backdrop does not close: one of the actions must be chosen. */
  mustAnswer?: boolean
  wide?: boolean
  narrow?: boolean
  ref?: Ref<HTMLDialogElement>
}

/** A question or a message over the page, as a native `<dialog>`. Focus stays inside and returns afterwards. */
export function Dialog({
  open,
  onClose,
  title,
  children,
  actions,
  closeLabel,
  mustAnswer = false,
  wide = false,
  narrow = false,
  ref,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const hasInput = useRef(false)
  const cameFrom = useRef<Element>(null)
  useImperativeHandle(ref, () => dialog.current as HTMLDialogElement)
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    if (open) hasInput.current = false
    if (open && !element.open) {
      cameFrom.current = document.activeElement
      element.showModal()
    }
    if (!open && element.open) element.close()
  }, [open])
  // A dialog that closes returns the focus; one that is unmounted while open does not. It is not closed on unmount: a field that gets
  // the focus while Enter still submits the dialog's form takes no letters.
  useEffect(
    () => () => {
      if (document.activeElement === document.body && cameFrom.current instanceof HTMLElement) cameFrom.current.focus()
    },
    [],
  )
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={`rise w-[min(92vw,var(--width))] rounded-card bg-milk p-0 text-start text-base shadow-soft ${wide ? '[--width:44rem]' : narrow ? '[--width:20.5rem]' : '[--width:27rem]'}`}
      onClose={(event) => {
        // React bubbles the close event of a nested dialog. The event comes later than the closing: the dialog may be open again.
        if (event.target === event.currentTarget && !event.currentTarget.open) onClose()
      }}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        // Closed by its owner at once: a key that follows Escape finds the owner knowing.
        event.preventDefault()
        if (!mustAnswer) onClose()
      }}
      onInput={() => {
        hasInput.current = true
      }}
      onClick={(event) => {
        // A click on the backdrop, or a text selection that ends there, must not discard typed input.
        if (!mustAnswer && !hasInput.current && event.target === event.currentTarget) event.currentTarget.close()
      }}
    >
      {open ? (
        <div className="p-5 sm:p-6">
          <div className="flex items-start justify-between gap-3">
            <h2 id={titleId} className="text-xl">
              {title}
            </h2>
            {mustAnswer ? null : (
              <button
                type="button"
                aria-label={closeLabel}
                className="-me-2 -mt-1 grid size-11 shrink-0 place-items-center rounded-pill hover:bg-leaf-100"
                onClick={() => dialog.current?.close()}
              >
                <CloseIcon />
              </button>
            )}
          </div>
          {children ? <div className="mt-2">{children}</div> : null}
          {actions ? <div className="mt-5 flex flex-wrap justify-end gap-2 max-sm:flex-col-reverse">{actions}</div> : null}
        </div>
      ) : null}
    </dialog>
  )
}
