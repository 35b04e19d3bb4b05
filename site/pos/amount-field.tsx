import { type ReactNode, useId } from 'react'
import { CONTROL } from '#components/field.tsx'
import { TAKA_INPUT } from '#components/taka-field.tsx'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { useLocalDigits } from './use-local-digits.ts'

interface AmountFieldProps {
  id: string
  label: string
  note?: ReactNode
  value: string
  /** Why the value cannot be read; null when it can. */
  problem: string | null
  onChange: (text: string) => void
  onReset?: (() => void) | undefined
  /** A sentence below the row. */
  below?: ReactNode
  /** A button beside the field. */
  children?: ReactNode
}

/** A row of label with its note, and amount; an error and a sentence are below. */
export function AmountField({ id, label, note, below, value, problem, onChange, onReset, children }: AmountFieldProps) {
  const { t, lang } = useI18n()
  const noteId = useId()
  const field = useLocalDigits(value)
  return (
    <div>
      <div className="flex items-center gap-3">
        <span className="w-24 shrink-0 leading-tight">
          <label htmlFor={id} className="block font-semibold">
            {label}
          </label>
          {note ? (
            <span id={`${noteId}-note`} className="tabular-nums block text-sm leading-tight text-stone">
              {note}
            </span>
          ) : null}
        </span>
        <span className="relative grow">
          <input
            id={id}
            {...TAKA_INPUT}
            placeholder={localizeDigits(lang, '0.00')}
            aria-invalid={problem !== null || undefined}
            aria-describedby={
              [note ? `${noteId}-note` : '', problem ? noteId : '', below ? `${noteId}-below` : ''].filter(Boolean).join(' ') || undefined
            }
            className={`${CONTROL} tabular-nums text-end text-lg ${onReset ? 'ps-12' : ''}`}
            value={field.shown}
            onChange={({ target }) => {
              field.type(target.value)
              onChange(target.value)
            }}
            onBlur={field.leave}
            onFocus={({ target }) => target.select()}
          />
          {onReset ? (
            <button
              type="button"
              aria-label={t('pos.reset-cash')}
              title={t('pos.reset-cash')}
              className="absolute start-0.5 top-1/2 grid size-11 -translate-y-1/2 place-items-center rounded-card text-xl hover:bg-leaf-100"
              onClick={({ detail }) => {
                onReset()
                // The button goes; a finger wants no keyboard of the phone.
                if (detail === 0) document.getElementById(id)?.focus()
              }}
            >
              ↺
            </button>
          ) : null}
        </span>
        {children}
      </div>
      {problem ? (
        <p id={noteId} className="text-end text-sm font-semibold text-terracotta">
          {problem}
        </p>
      ) : null}
      {below ? (
        <p id={`${noteId}-below`} className="tabular-nums mt-0.5 text-sm leading-tight text-stone">
          {below}
        </p>
      ) : null}
    </div>
  )
}
