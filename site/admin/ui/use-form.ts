import { useCallback, useEffect, useRef, useState } from 'react'
import { showToast } from '#components/toast.tsx'
import type { Translate } from '#lib/i18n/translate.ts'
import { useI18n } from '#page/page-context.tsx'
import type { SerializedResult } from './admin-post.ts'
import { storeDraft, readDraft } from './draft.ts'

interface FormOptions<Values extends object, Answer> {
  /** Name of the form and its row, such as `area-5`: what was typed is kept under it until it is saved. */
  id: string
  initial: Values
  /** The version of the row, where it counts its edits. */
  version?: number
  save(values: Values): Promise<SerializedResult<Answer>>
  /** ScanFeedback after saving; the form takes `initial` of the next rendering, or what it answers, for saved. */
  onSaved?(answer: Answer, values: Values): Values | void
  /** What the toast says; the standard is "Saved". */
  savedText?: string
}

export type FormProblem = 'offline' | 'signed-out' | 'stale' | 'refused' | null

export interface AdminFormState<Values extends object> {
  values: Values
  /** A function changes what stands there by then. `field` names what was typed into when it lies deeper than the key. */
  set<Key extends keyof Values>(key: Key, value: Values[Key] | ((now: Values[Key]) => Values[Key]), field?: string): void
  setAll(change: (values: Values) => Values): void
  /** Texts of the server for a field (`name_en`, `products.0.quantity`). */
  errorOf(field: string): string | undefined
  isDirty: boolean
  isSaving: boolean
  problem: FormProblem
  /** The refusal's own words. */
  message: string | null
  /** What was typed before a lost connection or a closed page is in the form again; `old`: somebody saved since. */
  restored: 'same' | 'old' | null
  submit(): Promise<boolean>
  /** Back to what is saved. */
  discard(): void
}

/** The state of a form that loses nothing: errors at fields, drafts, a guard for leaving, two people at once. */
export function useAdminForm<Values extends object, Answer = unknown>(options: FormOptions<Values, Answer>): AdminFormState<Values> {
  const { t } = useI18n()
  const { id, version } = options
  const [saved, setSaved] = useState(options.initial)
  const [values, setValues] = useState(options.initial)
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const [trouble, setTrouble] = useState<{ problem: FormProblem; message: string | null }>({ problem: null, message: null })
  const [isSaving, setSaving] = useState(false)
  const [restored, setRestored] = useState<'same' | 'old' | null>(null)
  const isDirty = JSON.stringify(values) !== JSON.stringify(saved)
  const running = useRef(false)

  // After the first paint, so that server and browser begin with the same form.
  useEffect(() => {
    const draft = readDraft(id)
    if (!draft) return
    setValues((now) => ({ ...now, ...draft.values }))
    setRestored(draft.version === (version ?? null) ? 'same' : 'old')
    // Only when the form opens: later versions are of its own saving.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [id])
  useEffect(() => {
    // What was typed and taken back again is nothing to keep.
    storeDraft(id, isDirty ? { values: values as Record<string, unknown>, version: version ?? null } : null)
  }, [id, values, isDirty, version])
  useLeaveGuard(isDirty && !isSaving)

  const set = useCallback(
    <Key extends keyof Values>(key: Key, value: Values[Key] | ((now: Values[Key]) => Values[Key]), field = String(key)) => {
      setValues((now) => ({ ...now, [key]: typeof value === 'function' ? (value as (now: Values[Key]) => Values[Key])(now[key]) : value }))
      setErrors((now) => without(now, field))
    },
    [],
  )

  async function submit(): Promise<boolean> {
    if (running.current) return false
    running.current = true
    setSaving(true)
    const written = await options.save(values)
    running.current = false
    if (!written.ok) {
      setSaving(false)
      setErrors(written.errors)
      const trouble = { problem: problemOf(written.status), message: written.message }
      setTrouble(trouble)
      showToast(written.status === 422 ? t('error.invalid') : (written.message ?? problemText(trouble, t)), { kind: 'error' })
      setTimeout(focusFirstError)
      return false
    }
    storeDraft(id, null)
    const kept = options.onSaved?.(written.body, values) ?? values
    setErrors({})
    setTrouble({ problem: null, message: null })
    setRestored(null)
    setSaved(kept)
    setValues(kept)
    setSaving(false)
    showToast(options.savedText ?? t('admin.saved'))
    return true
  }

  return {
    values,
    set,
    setAll: setValues,
    errorOf: (field) => errors[field]?.[0],
    isDirty,
    isSaving,
    ...trouble,
    restored,
    submit,
    discard() {
      storeDraft(id, null)
      setValues(saved)
      setErrors({})
      setTrouble({ problem: null, message: null })
      setRestored(null)
    },
  }
}

/** What stands in the way of saving, in words. */
export function problemText({ problem, message }: { problem: FormProblem; message: string | null }, t: Translate): string {
  if (problem === 'offline') return t('admin.offline')
  return problem === 'signed-out' ? t('admin.session-ended') : (message ?? t('admin.failed'))
}

function problemOf(status: number | null): FormProblem {
  if (status === null) return 'offline'
  if (status === 401) return 'signed-out'
  return status === 409 ? 'stale' : 'refused'
}

/** The errors of a field, and of what lies below it, are of what was typed before. */
function without(errors: Record<string, string[]>, field: string): Record<string, string[]> {
  const stale = Object.keys(errors).filter((key) => key === field || key.startsWith(`${field}.`))
  return stale.length === 0 ? errors : Object.fromEntries(Object.entries(errors).filter(([key]) => !stale.includes(key)))
}

function focusFirstError(): void {
  const field = document.querySelector<HTMLElement>('[aria-invalid=true]')
  field?.focus({ preventScroll: true })
  // In the middle, where neither the head of the page nor a message nor the bar lies over its label or what is wrong with it.
  field?.scrollIntoView({ block: 'center' })
}

/** The browser asks before a page with unsaved changes is left. */
function useLeaveGuard(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return
    const guard = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', guard)
    return () => removeEventListener('beforeunload', guard)
  }, [isOn])
}
