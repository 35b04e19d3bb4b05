import { type ChangeEvent, createContext, type InputHTMLAttributes, type ReactNode, useContext, useEffect, useId } from 'react'
import { Button } from '#components/button.tsx'
import { SelectField, TextArea, TextField } from '#components/field.tsx'
import { TAKA_INPUT } from '#components/taka-field.tsx'
import { useI18n } from '#page/page-context.tsx'
import { DayField, isDayType } from './day-input.tsx'
import type { TextLimits } from './form-schema.ts'
import { SaveBar } from './save-bar.tsx'
import type { AdminFormState } from './use-form.ts'
import { InfoIcon } from './icons.tsx'

/** Fields are addressed by name, for forms of any values. */
const FormContext = createContext<AdminFormState<any> | null>(null)

function useForm(): AdminFormState<any> {
  const form = useContext(FormContext)
  if (!form) throw new Error('A form field must be inside of AdminForm.')
  return form
}

interface AdminFormProps<Values extends object> {
  form: AdminFormState<Values>
  children: ReactNode
  /** All fields are disabled, and there is no save bar. */
  readOnly?: boolean
  saveLabel?: string
  cancelHref?: string
  /** Other ways to save, beside the save button. */
  actions?: ReactNode
}

/** A form with its fields and its save bar, which also shows why saving failed. Ctrl S saves. */
export function AdminForm<Values extends object>({
  form,
  children,
  readOnly = false,
  saveLabel,
  cancelHref,
  actions,
}: AdminFormProps<Values>) {
  useSaveKey(form, !readOnly)
  return (
    <FormContext value={form}>
      <form
        noValidate
        className="max-w-3xl min-w-0"
        onSubmit={(event) => {
          event.preventDefault()
          void form.submit()
        }}
      >
        <RestoredDraft form={form} />
        <fieldset disabled={readOnly} className="space-y-4">
          {children}
        </fieldset>
        {readOnly ? null : (
          <SaveBar form={form} saveLabel={saveLabel} cancel={cancelHref}>
            {actions}
          </SaveBar>
        )}
      </form>
    </FormContext>
  )
}

/** Ctrl S saves a changed form. */
export function useSaveKey<Values extends object>(form: AdminFormState<Values>, isOn: boolean): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || !isOn) return
      event.preventDefault()
      if (form.isDirty) void form.submit()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}

/** Some fields of a form whose other fields are elsewhere on the page. The page shows `RestoredDraft` and `SaveBar` once. */
export function FormPart<Values extends object>({ form, children }: { form: AdminFormState<Values>; children: ReactNode }) {
  const { t } = useI18n()
  return (
    <FormContext value={form}>
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          void form.submit()
        }}
      >
        {/* Without a submit button Enter in a field would not save. */}
        <button type="submit" hidden>
          {t('admin.save')}
        </button>
        {children}
      </form>
    </FormContext>
  )
}

/** A notice that a stored draft was restored, with a button to discard it. */
export function RestoredDraft<Values extends object>({ form }: { form: AdminFormState<Values> }) {
  const { t } = useI18n()
  if (!form.restored) return null
  return (
    <p role="status" className="stitch mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-card bg-tag-100 px-3.5 py-2.5">
      <InfoIcon className="shrink-0" />
      <span className="grow basis-60">{t(form.restored === 'old' ? 'admin.restored-old' : 'admin.restored')}</span>
      <Button size="small" kind="secondary" onClick={form.discard}>
        {t('admin.discard')}
      </Button>
    </p>
  )
}

/** A section of a form with its heading. */
export function FormSection({ id, title, hint, children }: { id?: string; title: ReactNode; hint?: ReactNode; children: ReactNode }) {
  return (
    <section id={id} className="admin-card p-4 sm:p-5">
      <h2 className="text-lg">{title}</h2>
      {hint ? <p className="mt-0.5 text-sm text-stone">{hint}</p> : null}
      <div className="mt-3 space-y-4">{children}</div>
    </section>
  )
}

/** Two fields side by side on wide screens. */
export function FormRow({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">{children}</div>
}

interface FieldProps {
  /** Path of the value in the form: `name_en`, `cattle.charge`, `products.0.quantity`. */
  name: string
  label: ReactNode
  hint?: ReactNode
  isOptional?: boolean
}

interface FormField {
  value: unknown
  error: string | undefined
  limits: TextLimits
  change(value: unknown): void
}

/** A field's value, error, limits and setter. `errorAt`: where the schema reports its error, if not at its name. */
export function useFormField(name: string, errorAt = name): FormField {
  const form = useForm()
  const path = name.split('.')
  return {
    value: path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], form.values),
    error: form.errorOf(errorAt),
    limits: form.limitsOf(name),
    change: (value) => form.set(path[0] as never, withValue(form.values[path[0] ?? ''], path.slice(1), value) as never, errorAt),
  }
}

function withValue(target: unknown, path: string[], value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (Array.isArray(target)) return target.map((item, index) => (String(index) === key ? withValue(item, rest, value) : item))
  return { ...(target as object), [key]: withValue((target as Record<string, unknown> | undefined)?.[key], rest, value) }
}

const inputLimits = ({ maxLength, isRequired }: TextLimits) => ({
  ...(maxLength ? { maxLength } : {}),
  ...(isRequired ? { required: true } : {}),
})

const asText = (value: unknown) => (value === null || value === undefined ? '' : String(value))

export function FormText({ name, label, hint, isOptional, ...rest }: FieldProps & Omit<InputHTMLAttributes<HTMLInputElement>, 'name'>) {
  const { t } = useI18n()
  const { value, error, limits, change } = useFormField(name)
  const { type, ...others } = rest
  const field = {
    name,
    label,
    hint,
    error,
    ...inputLimits(limits),
    ...(isOptional ? { optionalLabel: t('admin.optional') } : {}),
    value: asText(value),
    onChange: (event: ChangeEvent<HTMLInputElement>) => change(event.target.value),
    autoComplete: 'off',
    ...others,
  }
  return isDayType(type) ? <DayField {...field} type={type} /> : <TextField {...field} type={type} />
}

/** A text without line breaks; the field grows with it. */
export function FormLine({ name, label, hint, isOptional, required }: FieldProps & { required?: boolean }) {
  const { t } = useI18n()
  const { value, error, limits, change } = useFormField(name)
  return (
    <TextArea
      {...{ name, label, hint, error }}
      {...inputLimits(limits)}
      {...(required ? { required } : {})}
      {...(isOptional ? { optionalLabel: t('admin.optional') } : {})}
      rows={1}
      className="field-sizing-content resize-none"
      value={asText(value)}
      onChange={(event) => change(event.target.value.replaceAll(/\s*\n\s*/g, ' '))}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
        event.preventDefault()
        event.currentTarget.form?.requestSubmit()
      }}
      autoComplete="off"
    />
  )
}

type NumberProps = FieldProps & { placeholder?: string; disabled?: boolean }

/** A typed number. The schema parses it, Bengali digits included. */
export const FormNumber = (props: NumberProps) => <FormText {...props} inputMode="decimal" className="tabular-nums max-w-48" />

/** A typed amount in taka. The schema parses it (`takaField`). */
export const FormTaka = (props: NumberProps) => <FormText {...props} {...TAKA_INPUT} className="tabular-nums max-w-48" />

export function FormArea({ name, label, hint, isOptional, rows = 3 }: FieldProps & { rows?: number }) {
  const { t } = useI18n()
  const { value, error, limits, change } = useFormField(name)
  return (
    <TextArea
      {...{ name, label, hint, error, rows }}
      {...inputLimits(limits)}
      {...(isOptional ? { optionalLabel: t('admin.optional') } : {})}
      value={asText(value)}
      onChange={(event) => change(event.target.value)}
    />
  )
}

export function FormSelect({
  name,
  label,
  hint,
  options,
  onChange,
}: FieldProps & { options: [value: string, text: string][]; onChange?: (value: string) => void }) {
  const { value, error, change } = useFormField(name)
  return (
    <SelectField
      {...{ name, label, hint, error }}
      value={asText(value)}
      onChange={(event) => {
        change(event.target.value)
        onChange?.(event.target.value)
      }}
    >
      {options.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </SelectField>
  )
}

/** A checkbox for a boolean. */
export function FormCheckbox({ name, label, hint }: FieldProps) {
  const id = useId()
  const { value, error, change } = useFormField(name)
  return (
    <div>
      <label className="flex min-h-11 items-center gap-2.5 font-semibold">
        <input
          type="checkbox"
          name={name}
          checked={value === true}
          onChange={(event) => change(event.target.checked)}
          aria-describedby={hint || error ? `${id}-hint` : undefined}
          aria-invalid={error ? true : undefined}
          className="size-5 accent-leaf-600"
        />
        {label}
      </label>
      {hint || error ? (
        <p id={`${id}-hint`} className={`ms-7.5 text-sm ${error ? 'font-semibold text-terracotta' : 'text-stone'}`}>
          {error ?? hint}
        </p>
      ) : null}
    </div>
  )
}
