import { MAX_NOTE_COUNT_DIGITS } from '#features/pos/limits.ts'
import type { KeyboardEvent } from 'react'
import { sumDenominations, DENOMINATIONS } from '#features/pos/rules.ts'
import { formatTaka, formatTakaNumber, taka } from '#lib/format/money.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'

interface CountNotesProps {
  counts: Readonly<Record<string, string>>
  onChange: (counts: Record<string, string>) => void
}

/** Number of each note and coin; Enter moves to the next field. */
export function CountNotes({ counts, onChange }: CountNotesProps) {
  const { t, lang } = useI18n()
  function press(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Enter') return
    const fields = [...(event.currentTarget.form?.querySelectorAll<HTMLInputElement>('input') ?? [])]
    const next = fields[fields.indexOf(event.currentTarget) + 1]
    event.preventDefault()
    next?.focus()
  }
  return (
    <fieldset>
      <legend className="mb-2 flex w-full items-baseline justify-between gap-3 text-lg font-semibold">
        {t('pos.count-notes')}
        <b className="tabular-nums">{formatTaka(sumDenominations(counts), lang)}</b>
      </legend>
      <div className="grid grid-cols-2 gap-x-4 gap-y-2">
        {DENOMINATIONS.map((note) => (
          <label key={note} className="flex items-center gap-2">
            <span className="tabular-nums w-16 shrink-0 text-end font-semibold">{formatTaka(taka(note), lang)} ×</span>
            <input
              inputMode="numeric"
              autoComplete="off"
              maxLength={MAX_NOTE_COUNT_DIGITS}
              aria-label={t('pos.notes-of', { note: formatTakaNumber(taka(note), lang) })}
              className="tabular-nums min-h-11 w-full min-w-0 rounded-card border border-stone/80 bg-white px-2 text-center text-lg"
              value={counts[note] ?? ''}
              onChange={({ target }) => /^\d*$/.test(latinDigits(target.value)) && onChange({ ...counts, [note]: target.value })}
              onKeyDown={press}
            />
          </label>
        ))}
      </div>
    </fieldset>
  )
}
