import type { InputHTMLAttributes } from 'react'
import { MAX_TYPED_AMOUNT_LENGTH } from '#lib/format/input-limits.ts'
import { type FieldProps, TextField } from './field.tsx'

/** Attributes of an input for a typed amount in taka, which `parseAmount` (lib/format/money.ts) reads. */
export const TAKA_INPUT = { inputMode: 'decimal', autoComplete: 'off', maxLength: MAX_TYPED_AMOUNT_LENGTH } as const

/** A text field for a typed amount in taka. */
export function TakaField({ className = '', ...rest }: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  return <TextField {...TAKA_INPUT} className={`tabular-nums ${className}`} {...rest} />
}
