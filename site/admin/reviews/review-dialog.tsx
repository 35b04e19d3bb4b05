import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { SelectField, TextArea, TextField } from '#components/field.tsx'
import { MAX_REFUSAL_LENGTH, MAX_REVIEW_LENGTH, REVIEW_STATES, type ReviewState } from '#features/reviews/rules.ts'
import type { ReviewRow } from '#features/reviews/types.ts'
import { useI18n } from '#page/page-context.tsx'
import { usePreservedState } from '../ui/use-preserved-state.ts'

export interface Decision {
  state: ReviewState
  refusal: string
  answer: string
}

/** Errors by field; `all`: those of the whole form. */
export type SaveErrors = Record<string, string[]>

const FORM = 'review-form'

interface Props {
  row: ReviewRow
  onSave: (row: ReviewRow, decision: Decision) => Promise<SaveErrors | null>
  onClose: () => void
}

/** Decides about a review, and answers it. A field that was not changed shows what is saved, also after a conflict. */
export function ReviewDialog({ row, onSave, onClose }: Props) {
  const { t } = useI18n()
  const [chosen, setChosen] = useState<ReviewState | null>(null)
  const [typedRefusal, setRefusal] = useState<string | null>(null)
  const [typedAnswer, setAnswer, reset] = usePreservedState<string | null>(`review-${row.id}-${row.version}`, null)
  const state = chosen ?? row.state
  const refusal = typedRefusal ?? row.refusal
  const answer = typedAnswer ?? row.answer
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<SaveErrors>({})
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const found = await onSave(row, { state, refusal: state === 'refused' ? refusal : '', answer })
    setBusy(false)
    setErrors(found ?? {})
    if (found !== null) return
    reset()
    onClose()
  }
  const isAtField = errors.refusal !== undefined || errors.answer !== undefined
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('reviews.review-of', { name: row.name })}
      closeLabel={t('shell.close')}
      actions={
        <Button type="submit" form={FORM} busy={busy}>
          {t('reviews.save')}
        </Button>
      }
    >
      <form id={FORM} noValidate onSubmit={submit} className="space-y-4">
        {row.body ? <p className="break-words whitespace-pre-line">{row.body}</p> : null}
        <SelectField label={t('reviews.state')} value={state} onChange={(event) => setChosen(event.target.value as ReviewState)}>
          {REVIEW_STATES.map((one) => (
            <option key={one} value={one}>
              {t(`reviews.state.${one}`)}
            </option>
          ))}
        </SelectField>
        {state === 'refused' ? (
          <TextField
            label={t('reviews.refusal')}
            hint={t('reviews.refusal-hint')}
            value={refusal}
            maxLength={MAX_REFUSAL_LENGTH}
            error={errors.refusal?.[0]}
            required
            onChange={(event) => setRefusal(event.target.value)}
          />
        ) : null}
        <TextArea
          label={t('reviews.answer')}
          hint={t('reviews.answer-hint')}
          value={answer}
          maxLength={MAX_REVIEW_LENGTH}
          error={errors.answer?.[0]}
          onChange={(event) => setAnswer(event.target.value)}
        />
        {errors.all && !isAtField ? (
          <p role="alert" className="font-semibold text-terracotta">
            {errors.all[0]}
          </p>
        ) : null}
      </form>
    </Dialog>
  )
}
