import { MAX_LINE_NOTE_LENGTH } from '#features/pos/limits.ts'
import type { PosLine } from '#features/pos/rules.ts'
import { useI18n } from '#page/page-context.tsx'

/** The note on a line; a button until one is given. It is printed on the receipt. */
export function LineNoteField({ line, onChange }: { line: PosLine; onChange: (changes: Partial<PosLine>) => void }) {
  const { t } = useI18n()
  const { name, note } = line
  if (note === undefined)
    return (
      <button
        type="button"
        className="min-h-11 rounded-card px-1 text-sm text-stone underline decoration-dotted underline-offset-4 hover:bg-leaf-100"
        onClick={() => onChange({ note: '' })}
      >
        {t('pos.line-note')}
        <span className="sr-only">: {name}</span>
      </button>
    )
  return (
    <input
      id={`pos-line-note-${line.id}`}
      aria-label={t('pos.line-note-of', { name })}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by a click
      autoFocus={note === ''}
      autoComplete="off"
      maxLength={MAX_LINE_NOTE_LENGTH}
      placeholder={t('pos.line-note-example')}
      className="min-h-11 min-w-0 grow basis-40 rounded-card border border-stone/80 bg-white px-2 text-base"
      value={note}
      onChange={({ target }) => onChange({ note: target.value })}
      onBlur={() => note.trim() === '' && onChange({ note: undefined })}
    />
  )
}
