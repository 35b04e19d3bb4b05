import { registerBody } from '#features/pos/register-forms.ts'
import type { RegisterRecord } from '#features/pos/registers.server.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost } from '../admin/ui/admin-post.ts'
import { AdminForm, FormCheckbox, FormSection, FormText } from '../admin/ui/form.tsx'
import { AdminLayout } from '../admin/ui/layout.tsx'
import { useAdminForm } from '../admin/ui/use-form.ts'

export interface Props {
  register: RegisterRecord
}

/** Renames a register, and switches it on or off. */
export function Page({ register }: Props) {
  const { t } = useI18n()
  const form = useAdminForm({
    id: `register-${register.id}`,
    initial: fieldsOf(register),
    version: register.version,
    schema: registerBody,
    save: (values) => adminPost<{ register: RegisterRecord }>(`/admin/quick-orders/registers/${register.id}`, values),
    onSaved: (answer) => fieldsOf(answer.register),
  })
  return (
    <AdminLayout title={register.name} back={{ href: '/admin/quick-orders/registers', label: t('pos.registers') }}>
      <AdminForm form={form} cancelHref="/admin/quick-orders/registers">
        <FormSection title={t('pos.register')}>
          <FormText name="name" label={t('pos.registers.name')} hint={t('pos.registers.name-hint')} />
          <FormCheckbox name="active" label={t('pos.registers.active')} hint={t('pos.registers.active-hint')} />
        </FormSection>
      </AdminForm>
    </AdminLayout>
  )
}

const fieldsOf = ({ name, active, version }: RegisterRecord) => ({ name, active, version })
