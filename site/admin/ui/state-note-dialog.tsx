import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { SelectField, TextArea } from '#components/field.tsx'
import type { Translate } from '#lib/i18n/translate.ts'
import { useI18n } from '#page/page-context.tsx'
import { failureText } from './admin-post.ts'
import { usePreservedState } from './use-preserved-state.ts'

interface StateNoteDialogProps<State extends string> {
  /** The unsaved note is preserved under this name. */
  name: string
  title: string
  labels: { state: string; note: string }
  states: readonly { value: State; label: string }[]
  initial: { state: State; note: string }
  maxNoteLength: number
  /** Resolves to the error to show at the note, or null. */
  onSave: (state: State, note: string) => Promise<string | null>
  onClose: () => void
}

const FORM = 'state-note-form'

interface Conflict {
  /** The note as it was shown, and as it was sent. */
  shown: string
  sent: string
  /** As another person has saved it. */
  saved: string | undefined
}

/** The text of a failed save. After a conflict about the note it names the other note, which the next save replaces. */
export function conflictText({ shown, sent, saved }: Conflict, failure: { message?: string | null }, t: Translate): string {
  return saved && sent !== shown ? t('admin.stale-note', { note: saved }) : failureText(failure, t)
}

/**
 * Edits state and note of what staff follow up, such as a pre-booking. A note that was not saved is there when the dialog opens again. A field
 * that was not changed shows what is saved, also after a conflict.
 */
export function StateNoteDialog<State extends string>(props: StateNoteDialogProps<State>) {
  const { name, title, labels, states, initial, maxNoteLength, onSave, onClose } = props
  const { t } = useI18n()
  const [chosen, setChosen] = useState<State | null>(null)
  const [typed, setTyped, reset] = usePreservedState<string | null>(name, null)
  const state = chosen ?? initial.state
  const note = typed ?? initial.note
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const found = await onSave(state, note)
    setBusy(false)
    setError(found)
    if (found !== null) return
    reset()
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      closeLabel={t('shell.close')}
      actions={
        <Button type="submit" form={FORM} busy={busy}>
          {t('admin.save')}
        </Button>
      }
    >
      <form id={FORM} onSubmit={submit} className="space-y-4">
        <SelectField label={labels.state} value={state} onChange={(event) => setChosen(event.target.value as State)}>
          {states.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <TextArea
          label={labels.note}
          value={note}
          maxLength={maxNoteLength}
          error={error}
          onChange={(event) => setTyped(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
