import { type FormEvent, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { SelectField, TextArea, TextField } from '#components/field.tsx'
import { ADDRESS_FIELDS, type AddressField, type AddressForm as Form, addressProblems } from '#features/customers/address-rules.ts'
import { TEXT_LIMIT } from '#lib/format/text.ts'
import { useI18n } from '#page/page-context.tsx'
import { useAddressDraft } from './use-address-draft.ts'

interface AddressFormProps {
  initial: Form
  /** Whose address, and which: what was typed is there again when this form is opened next. */
  draftKey: string
  areas: { id: number; area_name: string }[]
  /** Saves it; texts that stand at fields, or null when all is well. */
  onSave: (form: Form) => Promise<Partial<Record<AddressField, string>> | null>
  onCancel: () => void
}

/** Writing an address, new or old. Errors stand at their fields until these are edited. */
export function AddressForm({ initial, draftKey, areas, onSave, onCancel }: AddressFormProps) {
  const { t } = useI18n()
  const { form, change, forget } = useAddressDraft(draftKey, initial)
  const [errors, setErrors] = useState<Partial<Record<AddressField, string>>>({})
  const [busy, setBusy] = useState(false)
  const place = useRef<HTMLFormElement>(null)

  const set = (field: AddressField, value: string | number | null) => {
    change({ [field]: value })
    setErrors(({ [field]: _corrected, ...rest }) => rest)
  }
  const show = (found: Partial<Record<AddressField, string>>) => {
    setErrors(found)
    const first = ADDRESS_FIELDS.find((field) => found[field] !== undefined)
    if (first) place.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const areaIds = areas.map((area) => area.id)
    const problems = Object.entries(addressProblems(form, areaIds)).map(([field, problem]) => [field, t(problem)])
    if (problems.length > 0) return show(Object.fromEntries(problems))
    setBusy(true)
    const refused = await onSave(form)
    setBusy(false)
    if (refused === null) forget()
    else show(refused)
  }

  const optional = t('details.optional')
  const text = (field: Exclude<AddressField, 'area_id'>) => ({
    name: field,
    value: form[field],
    error: errors[field],
    maxLength: TEXT_LIMIT,
    onChange: (event: { target: { value: string } }) => set(field, event.target.value),
  })
  const tel = { type: 'tel', inputMode: 'tel', optionalLabel: optional, enterKeyHint: 'next' } as const
  return (
    <form ref={place} noValidate onSubmit={submit} className="space-y-4">
      <TextField {...text('name')} label={t('details.name')} autoComplete="name" enterKeyHint="next" required />
      <TextField {...text('phone')} {...tel} label={t('details.phone')} hint={t('address.phone-hint')} autoComplete="tel" />
      <TextField
        {...text('alternate_phone')}
        {...tel}
        label={t('details.alternate')}
        hint={t('details.alternate-hint')}
        autoComplete="off"
      />
      <SelectField
        name="area_id"
        label={t('details.area')}
        error={errors.area_id}
        value={form.area_id ?? ''}
        autoComplete="address-level2"
        required
        onChange={(event) => set('area_id', Number(event.target.value) || null)}
      >
        <option value="">{t('details.choose-area')}</option>
        {areas.map((area) => (
          <option key={area.id} value={area.id}>
            {area.area_name}
          </option>
        ))}
      </SelectField>
      <TextArea
        {...text('address')}
        label={t('details.address')}
        hint={t('details.address-hint')}
        rows={2}
        autoComplete="street-address"
        required
      />
      <TextField {...text('landmark')} label={t('details.landmark')} optionalLabel={optional} autoComplete="off" enterKeyHint="next" />
      <TextArea {...text('note')} label={t('details.note')} optionalLabel={optional} rows={2} autoComplete="off" />
      <div className="flex flex-wrap justify-end gap-2 max-sm:flex-col-reverse">
        <Button kind="secondary" onClick={onCancel}>
          {t('address.cancel')}
        </Button>
        <Button type="submit" busy={busy}>
          {t(busy ? 'address.saving' : 'address.save')}
        </Button>
      </div>
    </form>
  )
}
