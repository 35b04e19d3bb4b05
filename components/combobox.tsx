import { type InputHTMLAttributes, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { CONTROL, Field, type FieldProps } from './field.tsx'

export interface ComboOption {
  /** The text of the field when the option is chosen. */
  value: string
  label: ReactNode
}

interface ComboboxProps extends FieldProps, Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'id'> {
  id: string
  value: string
  /** Called for every keystroke and every choice. */
  onChange: (value: string) => void
  /** Options that match the typed text; all options for an empty text. */
  match: (typed: string) => ComboOption[]
  /** Accessible name of the list. */
  listLabel: string
  /** Shown when no option matches. */
  noneText: string
}

/** A text field with a list of options. Typing filters it, arrows and Enter choose, Escape closes. A typed text that is not an option stays. */
export function Combobox({
  label,
  hint,
  error,
  optionalLabel,
  id,
  value,
  onChange,
  match,
  listLabel,
  noneText,
  onFocus,
  ...rest
}: ComboboxProps) {
  const listId = useId()
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const [typed, setTyped] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const options = open ? match(typed) : []
  // On a phone the list reaches below the screen.
  useEffect(() => {
    if (options.length > 0) list.current?.scrollIntoView({ block: 'nearest' })
  }, [options.length])

  const show = () => {
    if (open) return
    setTyped('')
    setActive(-1)
    setOpen(true)
  }
  const choose = (option: ComboOption | undefined) => {
    if (option) onChange(option.value)
    setOpen(false)
  }
  const go = (to: number) => {
    setActive(to)
    list.current?.children[to]?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (!open) return show()
      if (options.length > 0) go(key === 'ArrowDown' ? (active + 1) % options.length : (active <= 0 ? options.length : active) - 1)
    } else if (key === 'Enter' && open) {
      event.preventDefault()
      choose(options[active] ?? (typed === '' ? undefined : options[0]))
    } else if (key === 'Escape' && open) {
      event.preventDefault()
      setOpen(false)
    } else if (key === 'Tab') setOpen(false)
  }
  return (
    <Field {...{ label, hint, error, optionalLabel, id }}>
      {(wiring) => (
        <div className="relative">
          <input
            {...rest}
            {...wiring}
            className={CONTROL}
            role="combobox"
            aria-expanded={open}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={open && active >= 0 ? `${listId}-${active}` : undefined}
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={(event) => {
              onChange(event.target.value)
              setTyped(event.target.value)
              setActive(-1)
              setOpen(true)
            }}
            onFocus={(event) => {
              onFocus?.(event)
              show()
            }}
            onClick={show}
            onBlur={() => setOpen(false)}
            onKeyDown={onKeyDown}
          />
          <div
            ref={list}
            id={listId}
            role="listbox"
            aria-label={listLabel}
            hidden={!open || options.length === 0}
            className="absolute inset-x-0 top-full z-20 mt-1 max-h-64 scroll-mb-16 overflow-y-auto overscroll-contain rounded-card border border-line bg-white py-1 shadow-soft"
          >
            {options.map((option, index) => (
              <div
                key={option.value}
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                // The field keeps the focus: a blur would close the list before the click.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(option)}
                className={`flex min-h-11 cursor-pointer items-center px-3.5 py-1.5 hover:bg-leaf-100 aria-selected:bg-leaf-100 ${option.value === value ? 'font-semibold' : ''}`}
              >
                {option.label}
              </div>
            ))}
          </div>
          {open && typed !== '' && options.length === 0 ? (
            <p
              role="status"
              className="absolute inset-x-0 top-full z-20 mt-1 rounded-card border border-line bg-white px-3.5 py-2.5 text-stone shadow-soft"
            >
              {noneText}
            </p>
          ) : null}
        </div>
      )}
    </Field>
  )
}
