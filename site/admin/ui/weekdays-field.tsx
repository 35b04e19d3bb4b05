import { WEEKDAYS } from '#lib/format/weekdays.ts'
import { useI18n } from '#page/page-context.tsx'
import { useFormField } from './form.tsx'

interface FormWeekdaysProps {
  /** A field that holds the closed weekdays, 0 for Sunday. */
  name: string
  label: string
  hint?: string
  /** What a tick means. */
  ticks: 'open' | 'closed'
}

/** A box for each day of the week. */
export function FormWeekdays({ name, label, hint, ticks }: FormWeekdaysProps) {
  const { lang } = useI18n()
  const { value, error, change } = useFormField(name)
  const closed = value as number[]
  const setClosed = (day: number, isClosed: boolean) => change(isClosed ? [...closed, day].sort() : closed.filter((one) => one !== day))
  return (
    <fieldset aria-describedby={error ? `${name}-error` : undefined}>
      <legend className="mb-1 text-sm font-semibold">{label}</legend>
      {hint ? <p className="text-sm text-stone">{hint}</p> : null}
      <div className="flex flex-wrap gap-x-4">
        {WEEKDAYS[lang].map((dayName, day) => (
          <label key={dayName} className="flex min-h-11 items-center gap-2">
            <input
              type="checkbox"
              className="size-5 accent-leaf-600"
              checked={closed.includes(day) === (ticks === 'closed')}
              onChange={(event) => setClosed(day, event.target.checked === (ticks === 'closed'))}
            />
            {dayName}
          </label>
        ))}
      </div>
      {error ? (
        <p id={`${name}-error`} role="alert" className="text-sm font-semibold text-terracotta">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
