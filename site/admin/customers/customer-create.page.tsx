import { useEffect, useState } from 'react'
import { newCustomerBody } from '#features/customers/admin-forms.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { AdminForm, FormArea, FormRow, FormSection, FormText } from '../ui/form.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { useAdminForm } from '../ui/use-form.ts'

export interface Props {
  /** The phone in the address, or empty. */
  phone: string
}

/** Creates a customer. A phone that is known already leads to its customer. */
export function Page({ phone }: Props) {
  const { t } = useI18n()
  const initial = { name: '', phone, email: '', note: '' }
  const form = useAdminForm<typeof initial, { redirect: string }>({
    id: 'customer-new',
    initial,
    schema: newCustomerBody,
    save: (values) => adminPost('/admin/customers/store', values, { once: 'customer-new' }),
    onSaved: (answer) => location.assign(answer.redirect),
    savedText: t('customers.created'),
  })
  const known = useKnown(form.values.phone)
  return (
    <AdminLayout title={t('customers.new')} back={{ href: '/admin/customers', label: t('admin.nav.customers') }}>
      <AdminForm form={form} cancelHref="/admin/customers">
        <FormSection title={t('customers.details')} hint={t('customers.new-hint')}>
          <FormText name="name" label={t('admin-orders.name')} />
          <FormRow>
            <div>
              <FormText name="phone" label={t('admin-orders.phone')} inputMode="tel" hint={t('customers.phone-hint')} />
              <p role="status">
                {known ? (
                  <a
                    href={`/admin/customers/${known.id}`}
                    className="inline-flex min-h-11 items-center font-semibold text-leaf-800 underline underline-offset-4 wrap-anywhere"
                  >
                    {t('customers.open-known', { name: known.name || t('customers.customer') })}
                  </a>
                ) : null}
              </p>
            </div>
            <FormText name="email" label={t('customers.email')} inputMode="email" isOptional />
          </FormRow>
          <FormArea name="note" label={t('admin-orders.note')} isOptional />
        </FormSection>
      </AdminForm>
    </AdminLayout>
  )
}

interface Known {
  id: number
  name: string
}

const WAIT_MS = 250

/** Looks up the customer of a complete phone number. */
function useKnown(typed: string): Known | null {
  const [known, setKnown] = useState<(Known & { phone: string }) | null>(null)
  const phone = normalizePhone(typed)
  useEffect(() => {
    if (phone === null) return
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      const answer = await call<{ customer: Known | null }>(`/api/admin/orders/customer?phone=${phone}`, { signal: stop.signal })
      if (!stop.signal.aborted && answer.ok) setKnown(answer.body.customer && { ...answer.body.customer, phone })
    }, WAIT_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [phone])
  return known?.phone === phone ? known : null
}
