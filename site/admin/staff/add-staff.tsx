import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { SelectField, TextField } from '#components/field.tsx'
import { STAFF_ROLES, type StaffRole } from '#features/auth/permissions.ts'
import type { StaffRow } from '#features/auth/staff/queries.server.ts'
import { phoneExample } from '#lib/format/phone.ts'
import { useI18n } from '#page/page-context.tsx'
import { newStaffBody } from '#features/auth/staff/forms.ts'
import { MAX_TYPED_PHONE_LENGTH } from '#lib/format/input-limits.ts'
import { maxLengthAt } from '#site/admin/ui/form-schema.ts'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { usePreservedState } from '../ui/use-preserved-state.ts'

const FORM = 'add-staff'

interface Values {
  name: string
  phone: string
  role: StaffRole
}

interface Added {
  person: StaffRow
  password: string
}

/** Adds a staff member: name, phone and role. */
export function AddStaff({ close, onAdded }: { close: () => void; onAdded: (added: Added) => void }) {
  const { t, lang } = useI18n()
  const [values, setValues, reset] = usePreservedState<Values>('add-staff', { name: '', phone: '', role: 'sales' })
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const [isBusy, setBusy] = useState(false)
  const set = (change: Partial<typeof values>) => setValues({ ...values, ...change })
  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    const written = await adminPost<Added>('/admin/staff/store', values)
    setBusy(false)
    if (written.ok) {
      reset()
      close()
      return onAdded(written.body)
    }
    setErrors(written.errors)
    if (Object.keys(written.errors).length === 0) showFailure(written, t)
  }
  return (
    <Dialog
      open
      onClose={close}
      closeLabel={t('admin.close')}
      title={t('staff.add')}
      actions={
        <>
          <Button kind="secondary" onClick={close}>
            {t('admin.cancel')}
          </Button>
          <Button type="submit" form={FORM} busy={isBusy}>
            {t('staff.add')}
          </Button>
        </>
      }
    >
      <form id={FORM} noValidate className="space-y-4" onSubmit={(event) => void submit(event)}>
        <TextField
          label={t('staff.name')}
          value={values.name}
          error={errors.name?.[0]}
          maxLength={maxLengthAt(newStaffBody, 'name')}
          autoComplete="off"
          onChange={(event) => set({ name: event.target.value })}
        />
        <TextField
          label={t('staff.phone')}
          value={values.phone}
          error={errors.phone?.[0]}
          maxLength={MAX_TYPED_PHONE_LENGTH}
          inputMode="tel"
          autoComplete="off"
          placeholder={phoneExample(lang)}
          onChange={(event) => set({ phone: event.target.value })}
        />
        <SelectField
          label={t('staff.role')}
          hint={t(`staff.can.${values.role}`)}
          value={values.role}
          error={errors.role?.[0]}
          onChange={(event) => set({ role: event.target.value as StaffRole })}
        >
          {STAFF_ROLES.map((role) => (
            <option key={role} value={role}>
              {t(`admin.role.${role}`)}
            </option>
          ))}
        </SelectField>
      </form>
    </Dialog>
  )
}
