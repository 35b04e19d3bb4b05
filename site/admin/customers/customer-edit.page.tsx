import { detailsBody } from '#features/customers/admin-forms.ts'
import type { CustomerRecord } from '#features/customers/customer-record.server.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { FormRow, FormSection, FormText, AdminForm } from '../ui/form.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { useAdminForm } from '../ui/use-form.ts'

export interface Props {
  customer: Pick<CustomerRecord, 'id' | 'name' | 'phone' | 'email' | 'owns_account'>
}

/** Edits a customer's name, phone and email. */
export function Page({ customer: { id, owns_account, ...details } }: Props) {
  const { t, lang } = useI18n()
  const { sendsSms } = usePageContext()
  const { ask, dialog } = useConfirm()
  const { can } = usePermissions()
  const mayMove = !owns_account || can('customers.accounts')
  const name = shownName(details.name, lang)
  const back = `/admin/customers/${id}`
  const bodyOf = (values: typeof details) => ({ ...values, previous: details })
  const form = useAdminForm<typeof details, { redirect: string }>({
    id: `customer-${id}`,
    initial: details,
    version: JSON.stringify(details),
    schema: detailsBody,
    bodyOf,
    save: (values) => adminPost(`${back}/details`, bodyOf(values)),
    onSaved: (answer) => location.assign(answer.redirect),
  })
  const phone = normalizePhone(form.values.phone)
  const isNewPhone = phone !== null && phone !== details.phone
  const question = {
    title: t('customers.phone-ask', { from: localizeDigits(lang, details.phone), to: localizeDigits(lang, phone ?? '') }),
    text: [t('customers.phone-new', { sms: sendsSms }), ...(sendsSms ? [t('customers.phone-sms')] : [])].join(' '),
    action: t('customers.phone-change'),
  }
  const submit = async () => (owns_account && isNewPhone && !(await ask(question)) ? false : form.submit())
  return (
    <AdminLayout title={t('customers.edit-title', { name })} back={{ href: back, label: name }}>
      <AdminForm form={{ ...form, submit }} cancelHref={back}>
        <FormSection title={t('customers.details')} hint={t('customers.details-hint')}>
          <FormText name="name" label={t('admin-orders.name')} />
          <FormRow>
            <FormText
              name="phone"
              label={t('admin-orders.phone')}
              inputMode="tel"
              disabled={!mayMove}
              hint={
                mayMove && owns_account && isNewPhone
                  ? t('customers.phone-new', { sms: sendsSms })
                  : t(mayMove ? 'customers.phone-hint' : 'customers.phone-managers')
              }
            />
            <FormText name="email" label={t('customers.email')} inputMode="email" isOptional />
          </FormRow>
        </FormSection>
      </AdminForm>
      {dialog}
    </AdminLayout>
  )
}
