import { type ChangeEvent, type InputHTMLAttributes, useEffect, useRef, useState } from 'react'
import { CONTROL, Field, type FieldProps } from '#components/field.tsx'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatDay, formatFullDay, formatMonth, formatTime, isDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'

const DAY_TYPES = ['date', 'month', 'datetime-local'] as const
export type DayType = (typeof DAY_TYPES)[number]

export const isDayType = (type: string | undefined): type is DayType => DAY_TYPES.some((one) => one === type)

type DayInputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & { type?: DayType; withYear?: boolean }

/**
 * The browser's field for a day, a month or a moment. Browsers format it in the language of the system, so the value is shown over it in the
 * language of the page while the field has no focus. `withYear`: also where it is less than six months away.
 */
export function DayInput({ type = 'date', withYear = false, className = '', onChange, ...rest }: DayInputProps) {
  const { t, lang } = useI18n()
  const [typed, setTyped] = useState(String(rest.value ?? rest.defaultValue ?? ''))
  const input = useRef<HTMLInputElement>(null)
  // Back restores the page with its chosen value.
  useEffect(() => setTyped(input.current?.value ?? ''), [])
  const value = rest.value === undefined ? typed : String(rest.value)
  const words = dayWords(type, value, lang, withYear)
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    setTyped(event.target.value)
    onChange?.(event)
  }
  return (
    <span className="day-input">
      <input ref={input} type={type} className={className} onChange={change} {...rest} />
      <span aria-hidden="true" className={words === null ? 'text-stone' : undefined}>
        {words ?? t(type === 'month' ? 'admin.choose-month' : 'admin.choose-day')}
      </span>
    </span>
  )
}

/** A day with its label, hint and error. It has its year: a season or coupon of the last May is none of the next one. */
export function DayField({ label, hint, error, optionalLabel, id, className = '', ...rest }: FieldProps & DayInputProps) {
  return (
    <Field {...{ label, hint, error, optionalLabel, id }}>
      {(wiring) => <DayInput withYear className={`${CONTROL} ${className}`} {...rest} {...wiring} />}
    </Field>
  )
}

function dayWords(type: DayType, value: string, lang: Lang, withYear: boolean): string | null {
  const day = type === 'month' ? `${value}-01` : value.slice(0, 10)
  if (!isDay(day)) return null
  if (type === 'month') return formatMonth(value, lang)
  const words = withYear ? formatFullDay(day, lang) : formatDay(day, lang)
  return type === 'date' ? words : `${words}, ${formatTime(value.slice(11), lang)}`
}
