import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react'
import { AlertIcon } from './icons.tsx'

export interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  /** Shown at the field and part of its description for screen readers. */
  error?: ReactNode
  /** Shown after the label of a field that may stay empty. */
  optionalLabel?: string
}

interface Wiring {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  autoFocus?: true
}

/** Classes of a field. */
export const CONTROL =
  'w-full min-h-12 rounded-card border bg-white px-3.5 py-2 text-base leading-normal placeholder:text-stone disabled:bg-sand disabled:text-stone border-stone/80 aria-invalid:border-2 aria-invalid:border-terracotta'

/** Label, control, error and help text, in this order: controls side by side stay aligned. */
export function Field({
  label,
  hint,
  error,
  optionalLabel,
  id: givenId,
  children,
}: FieldProps & { id?: string; children: (wiring: Wiring) => ReactNode }) {
  const ownId = useId()
  const id = givenId ?? ownId
  const describedBy = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  const wiring: Wiring = { id, 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? true : undefined }
  // A form that the server shows again: browsers focus the first of several, without scripts too.
  if (import.meta.env.SSR && error) wiring.autoFocus = true
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-semibold">
        {label}
        {optionalLabel ? (
          <>
            {' '}
            <span className="optional-label text-sm font-normal text-stone">({optionalLabel})</span>
          </>
        ) : null}
      </label>
      {children(wiring)}
      {error ? (
        <p id={`${id}-error`} className="mt-1.5 flex items-start gap-1.5 text-sm font-semibold text-terracotta">
          <AlertIcon size={18} className="mt-0.5 shrink-0" />
          <span>{error}</span>
        </p>
      ) : null}
      {hint ? (
        <p id={`${id}-hint`} className="mt-1 text-sm text-stone">
          {hint}
        </p>
      ) : null}
    </div>
  )
}

export function TextField({
  label,
  hint,
  error,
  optionalLabel,
  className = '',
  id,
  ...rest
}: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field {...{ label, hint, error, optionalLabel, id }}>
      {(wiring) => <input className={`${CONTROL} ${className}`} {...rest} {...wiring} />}
    </Field>
  )
}

export function TextArea({
  label,
  hint,
  error,
  optionalLabel,
  className = '',
  id,
  ...rest
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Field {...{ label, hint, error, optionalLabel, id }}>
      {(wiring) => <textarea rows={3} className={`${CONTROL} block ${className}`} {...rest} {...wiring} />}
    </Field>
  )
}

export function SelectField({
  label,
  hint,
  error,
  optionalLabel,
  className = '',
  id,
  children,
  ...rest
}: FieldProps & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Field {...{ label, hint, error, optionalLabel, id }}>
      {(wiring) => (
        <select className={`${CONTROL} ${className}`} {...rest} {...wiring}>
          {children}
        </select>
      )}
    </Field>
  )
}
