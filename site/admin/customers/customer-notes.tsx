import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { TextArea } from '#components/field.tsx'
import type { CustomerNote } from '#features/customers/customer-record.server.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { noteBody } from '#features/customers/admin-forms.ts'
import { maxLengthAt } from '#site/admin/ui/form-schema.ts'
import { useLeaveGuard } from '#site/admin/ui/use-form.ts'

/** Staff notes about a customer, newest first. `add` resolves to true once the note is saved. */
export function CustomerNotes({ notes, add }: { notes: CustomerNote[]; add: ((note: string) => Promise<boolean>) | null }) {
  const { t, lang } = useI18n()
  const [note, setNote] = useState('')
  const [isBusy, setBusy] = useState(false)
  useLeaveGuard(note.trim() !== '')
  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    // What was typed meanwhile stays.
    if (await add?.(note)) setNote((now) => (now === note ? '' : now))
    setBusy(false)
  }
  return (
    <section className="admin-card p-4">
      <h2 className="text-lg">{t('customers.notes')}</h2>
      {add ? (
        <form className="mt-3 space-y-2" onSubmit={(event) => void submit(event)}>
          <TextArea
            label={t('customers.note')}
            rows={2}
            maxLength={maxLengthAt(noteBody, 'note')}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
          <Button type="submit" size="small" kind="secondary" busy={isBusy} disabled={note.trim() === ''}>
            {t('customers.note-add')}
          </Button>
        </form>
      ) : null}
      {notes.length === 0 ? <p className="mt-3 text-sm text-stone">{t('customers.no-notes')}</p> : null}
      <ol className="mt-3 space-y-3 text-sm">
        {notes.map((one) => (
          <li key={one.id} className="border-s-2 border-tag ps-3">
            <p className="break-words whitespace-pre-line">{one.note}</p>
            <p className="text-stone">
              {one.by ?? t('customers.system')} · <time dateTime={one.at}>{formatDateTime(new Date(one.at), lang)}</time>
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}
