import { useCallback, useEffect, useRef, useState } from 'react'
import { type FieldError, type FieldValues, get, useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { closeToast, pendingToasts, showToast } from '#components/toast.tsx'
import type { Translate } from '#lib/i18n/translate.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { mayBeSaved, type PostResult } from './admin-post.ts'
import { changedFields, draftIdOf, readDraft, type RowVersion, storeDraft, withDraft } from './draft.ts'
import { finishUploads, hasUnfinishedUploads } from './running-uploads.ts'
import { isSameInput } from './same-input.ts'
import { limitsAt, schemaResolver, type TextLimits } from './form-schema.ts'

interface FormOptions<Values extends object, Answer> {
  /** Name of the form and its row, such as `area-5`; its draft is stored under it. */
  id: string
  initial: Values
  /** The version of the row, where it counts its edits, or the hash of its values. Without one a 409 offers no other version to load. */
  version?: RowVersion
  /** The feature's schema of the body: checked before anything is sent, and the source of the fields' limits. */
  schema?: z.ZodType
  /** The body that `save` sends, where it is not the values. */
  bodyOf?(values: Values): unknown
  save(values: Values): Promise<PostResult<Answer>>
  /** Returns the values as saved; without a return value they are the submitted ones. */
  onSaved?(answer: Answer, values: Values): Values | void
  /** `save` only shows what the values would change: they stay unsaved until `accept`. */
  isPreview?: boolean
  /** Whether two values are stored as the same, where `isSameInput` does not know it. A draft that was saved is no draft. */
  isSame?(a: Values, b: Values): boolean
  /** The page shows a conflict (409) itself, and has no button that loads the saved row. */
  showsConflict?: boolean
  /** Text of the toast; "Saved" by default. */
  savedText?: string
}

export type FormProblem = 'offline' | 'signed-out' | 'stale' | 'refused' | null

interface FormError {
  problem: FormProblem
  message: string | null
  /** The save failed because of its fields: once they are changed, nothing is left to say. */
  isAtFields?: boolean
}

const NO_ERROR: FormError = { problem: null, message: null }

export interface AdminFormState<Values extends object> {
  values: Values
  /** The same function in every render. A function as value gets the current one. `field` names the changed field when it lies deeper than the key. */
  set<Key extends keyof Values>(key: Key, value: Values[Key] | ((now: Values[Key]) => Values[Key]), field?: string): void
  setAll(change: (values: Values) => Values): void
  /** The error at a field (`name_en`, `products.0.quantity`), of the schema or of the server. */
  errorOf(field: string): string | undefined
  /** Whether the field, or one below it, has an error. */
  hasError(field: string): boolean
  /** The limits of a text field, from the schema. */
  limitsOf(field: string): TextLimits
  isDirty: boolean
  isSaving: boolean
  problem: FormProblem
  /** The server's message. */
  message: string | null
  /** A draft of this window is in the form again; `old`: the row was saved after the draft was written. */
  restored: 'same' | 'old' | null
  submit(): Promise<boolean>
  /** Resets to the saved values. */
  discard(): void
  /** The values on the screen were saved in another way: they are no longer unsaved. */
  accept(): void
}

/** The state of a form: values, drafts, errors at fields, a guard against leaving, and the conflict of two editors (409). */
export function useAdminForm<Values extends object, Answer = unknown>(given: FormOptions<Values, Answer>): AdminFormState<Values> {
  const { t } = useI18n()
  const options = { ...given, id: useDraftId(given.id), save: useOwnConflict(given) }
  const { id, schema, bodyOf = (values: Values) => values } = options
  const form = useForm({
    defaultValues: options.initial as FieldValues,
    ...(schema ? { resolver: schemaResolver(schema, bodyOf, t) } : {}),
    shouldFocusError: false,
    reValidateMode: 'onSubmit',
  })
  const { errors, isDirty } = form.formState
  const values = useWatch({ control: form.control }) as Values
  // A version among the values is newer than that of the options once the form was saved.
  const version = (values as { version?: number }).version ?? options.version ?? null
  const isSame = (options.isSame ?? isSameInput) as typeof isSameInput
  const { restored, setRestored } = useDraft(form, { id, version, values, isDirty, isSame })
  const { error, setError, isWaiting, submit } = useSubmit(form, options, (to, sent) => {
    storeDraft(id, null)
    // A new row has no version: its page is left, or begins again.
    resetTo(form, to, options.version === undefined ? form.getValues() : sent)
    setRestored(null)
  })
  const isSaving = form.formState.isSubmitting || isWaiting
  useLeaveGuard(isDirty && !isSaving)

  const { getValues, setValue, clearErrors } = form
  const set: AdminFormState<Values>['set'] = useCallback(
    (key, value, field = String(key)) => {
      const next = typeof value === 'function' ? (value as (now: unknown) => unknown)(getValues(String(key))) : value
      setValue(String(key), next, { shouldDirty: true })
      clearErrors(field)
    },
    [getValues, setValue, clearErrors],
  )
  return {
    values,
    set,
    setAll: (change) => form.reset(change(form.getValues() as Values) as FieldValues, { keepDefaultValues: true, keepErrors: true }),
    errorOf: (field) => (get(errors, field) as FieldError | undefined)?.message,
    hasError: (field) => get(errors, field) !== undefined,
    limitsOf: (field) => (schema ? limitsAt(schema, field.split('.')) : {}),
    isDirty,
    isSaving,
    ...(error.isAtFields && Object.keys(errors).length === 0 ? NO_ERROR : error),
    restored,
    submit,
    accept() {
      storeDraft(id, null)
      form.reset(form.getValues())
      setError(NO_ERROR)
    },
    discard() {
      storeDraft(id, null)
      form.reset()
      setError(NO_ERROR)
      setRestored(null)
    },
  }
}

type Reset<Values> = (to: Values, sent: Values) => void

/** Resets the form to saved values. What was typed while they were sent stays over them. */
function resetTo(form: UseFormReturn, saved: object, sent: object): void {
  const typed = changedFields(sent, form.getValues())
  form.reset(saved)
  form.reset(withDraft(saved, typed), { keepDefaultValues: true })
}

/**
 * Validates and saves the form, after the files that are being uploaded: what they add belongs to it. A second call while one is running does
 * nothing and resolves to false.
 */
function useSubmit<Values extends object, Answer>(form: UseFormReturn, options: FormOptions<Values, Answer>, reset: Reset<Values>) {
  const { t } = useI18n()
  const [error, setError] = useState(NO_ERROR)
  const [isWaiting, setWaiting] = useState(false)
  const running = useRef(false)
  const failure = useRef('')

  /** False when a file did not arrive: its reason stands beside it. */
  async function awaitUploads(): Promise<boolean> {
    if (!hasUnfinishedUploads()) return true
    setWaiting(true)
    const isComplete = await finishUploads()
    setWaiting(false)
    return isComplete || fail({ problem: 'refused', message: t('upload.unsaved') }, t('upload.unsaved'))
  }

  function fail(found: FormError, toast: string): false {
    setError(found)
    closeFailure(failure.current)
    showToast((failure.current = toast), { kind: 'error' })
    setTimeout(focusFirstError)
    return false
  }

  async function save(values: Values): Promise<boolean> {
    const saved = await options.save(values)
    if (!saved.ok) {
      for (const [field, [message]] of Object.entries(saved.errors))
        form.setError(field, { type: 'server', ...(message ? { message } : {}) })
      const problem = problemOf(saved.status, options.version)
      const found = { problem, message: saved.message, isAtFields: Object.keys(saved.errors).length > 0 }
      return fail(found, saved.status === 422 ? t('error.invalid') : (saved.message ?? problemText(found, t)))
    }
    const now = options.onSaved?.(saved.body, values) ?? values
    if (!options.isPreview) reset(now, values)
    setError(NO_ERROR)
    closeFailure(failure.current)
    showToast(options.savedText ?? t('admin.saved'))
    return true
  }

  async function submit(): Promise<boolean> {
    if (running.current) return false
    running.current = true
    let isSaved = false
    // The server's errors of the last attempt would count as errors of this one.
    form.clearErrors()
    try {
      if (!(await awaitUploads())) return false
      await form.handleSubmit(
        async (values) => void (isSaved = await save(values as Values)),
        () => void fail({ problem: 'refused', message: t('error.invalid'), isAtFields: true }, t('error.invalid')),
      )()
    } finally {
      running.current = false
    }
    return isSaved
  }
  return { error, setError, isWaiting, submit }
}

/** Saves the form. The message of a conflict after an attempt without an answer names that attempt, which may have saved the row. */
function useOwnConflict<Values extends object, Answer>({ save, version, showsConflict }: FormOptions<Values, Answer>): typeof save {
  const { t } = useI18n()
  const wasLost = useRef(false)
  return async (values) => {
    const saved = await save(values)
    const isOwn = wasLost.current && version !== undefined && !showsConflict && !saved.ok && saved.status === 409
    wasLost.current = !saved.ok && (mayBeSaved(saved) || isOwn)
    return isOwn ? { ...saved, message: t('admin.stale-own') } : saved
  }
}

interface DraftState {
  id: string
  version: RowVersion | null
  values: object
  isDirty: boolean
  isSame: typeof isSameInput
}

/** The id of the user's draft of a form. */
export function useDraftId(form: string): string {
  const { user } = usePageContext()
  return draftIdOf(user?.id, form)
}

/** Stores unsaved values of the form in this window, and puts them back when the page opens again. */
function useDraft(form: UseFormReturn, { id, version, values, isDirty, isSame }: DraftState) {
  const [restored, setRestored] = useState<'same' | 'old' | null>(null)
  const isRestoring = useRef(false)
  // After the first paint: server and browser must render the same form first.
  useEffect(() => {
    const draft = readDraft(id)
    if (!draft) return
    const restored = withDraft(form.getValues(), draft.values)
    // A press without an answer has saved it.
    if (isSame(form.getValues(), restored)) return storeDraft(id, null)
    isRestoring.current = true
    form.reset(restored, { keepDefaultValues: true })
    setRestored(draft.version === version ? 'same' : 'old')
    // Only when the form opens: later versions come from its own saving.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [id])
  useEffect(() => {
    // The form does not hold the restored values yet, and other effects look for the draft.
    if (isRestoring.current) return void (isRestoring.current = false)
    // Values typed and taken back are no draft.
    storeDraft(id, isDirty ? { values: changedFields(form.formState.defaultValues ?? {}, values), version } : null)
  }, [form, id, values, isDirty, version])
  return { restored, setRestored }
}

/** The text of a failed save. */
export function problemText({ problem, message }: { problem: FormProblem; message: string | null }, t: Translate): string {
  if (problem === 'offline') return t('admin.offline')
  return problem === 'signed-out' ? t('admin.session-ended') : (message ?? t('admin.failed'))
}

/** Closes the toast of a failed attempt. */
function closeFailure(failure: string): void {
  for (const { id, text } of pendingToasts()) if (text === failure) closeToast(id)
}

function problemOf(status: number | null, version: RowVersion | undefined): FormProblem {
  if (status === null) return 'offline'
  if (status === 401) return 'signed-out'
  return status === 409 && version !== undefined ? 'stale' : 'refused'
}

function focusFirstError(): void {
  const field = document.querySelector<HTMLElement>('[aria-invalid=true], [data-failed-upload]')
  field?.focus({ preventScroll: true })
  // In the middle: header, toasts and the save bar cover neither its label nor its error there.
  field?.scrollIntoView({ block: 'center' })
}

/** The browser asks before a page with unsaved changes is left. */
export function useLeaveGuard(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return
    const guard = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', guard)
    return () => removeEventListener('beforeunload', guard)
  }, [isOn])
}
