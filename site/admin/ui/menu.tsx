import { type ReactNode, useEffect, useRef, useState } from 'react'
import { buttonClass } from '#components/button.tsx'
import { DownIcon } from './icons.tsx'

export interface MenuItem {
  key: string
  label: ReactNode
  isDanger?: boolean
  run: () => void
}

/** A button that opens a list of further actions. Escape, a choice and a press elsewhere close it; Escape and a choice return the focus. */
export function Menu({ label, items, disabled = false }: { label: string; items: readonly MenuItem[]; disabled?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const closeOutside = ({ target }: Event) => {
      if (!frame.current?.contains(target as Node)) setOpen(false)
    }
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    document.addEventListener('keydown', closeByKey)
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('focusin', closeOutside)
    return () => {
      document.removeEventListener('keydown', closeByKey)
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('focusin', closeOutside)
    }
  }, [isOpen])
  function close() {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <div ref={frame} className="relative">
      <button
        ref={button}
        type="button"
        data-menu
        className={buttonClass({ kind: 'secondary', size: 'small' })}
        aria-expanded={isOpen}
        disabled={disabled}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
        <DownIcon size={17} />
      </button>
      {isOpen ? (
        <ul className="absolute start-0 top-full z-30 mt-1 w-max max-w-[70vw] min-w-44 rounded-card border border-line bg-milk py-1 shadow-soft sm:start-auto sm:end-0">
          {items.map(({ key, label, isDanger, run }) => (
            <li key={key}>
              <button
                type="button"
                className={`flex min-h-11 w-full items-center px-4 text-start font-semibold hover:bg-leaf-100 ${isDanger ? 'text-terracotta' : ''}`}
                onClick={() => {
                  close()
                  run()
                }}
              >
                {label}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
