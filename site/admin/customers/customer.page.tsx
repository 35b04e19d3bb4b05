import { type ReactNode, useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { showToast } from '#components/toast.tsx'
import type { CustomerRecord } from '#features/customers/customer-record.server.ts'

import type { SmsJson } from '#features/messaging/types.ts'
import type { OrderRow } from '#features/orders/history/order-list.server.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { formatTaka, type Poisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { CustomerCards } from './customer-cards.tsx'
import { CustomerNotes } from './customer-notes.tsx'
import { CustomerOrders } from './customer-orders.tsx'
import { Addresses, Bookings, type CustomerBooking, Coupons, Devices, Texts } from './customer-sections.tsx'
import { adminPost, failureText } from '../ui/admin-post.ts'
import { type Question, useConfirm } from '../ui/confirm.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { SendSms } from '../ui/send-sms.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { PlusIcon } from '../ui/icons.tsx'

export interface Props {
  customer: CustomerRecord
  /** In poisha. */
  storeCredit: Poisha
  orders: OrderRow[]
  bookings: CustomerBooking[]
  sms: SmsJson[]
}

/** One customer: money, orders, notes, addresses, bookings, texts, devices. */
export function Page({ customer: found, storeCredit, orders, bookings, sms: foundSms }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const [customer, setCustomer] = useState(found)
  const [sms, setSms] = useState(foundSms)
  const { ask, dialog } = useConfirm()
  const mayWrite = can('customers.write') && !customer.is_erased
  const { id } = customer
  const name = shownName(customer.name, lang)

  async function send(path: string, body: object, done: string, options: { once?: string } = {}): Promise<boolean> {
    const written = await adminPost<{ customer: CustomerRecord }>(`/admin/customers/${id}/${path}`, body, options)
    if (written.ok) setCustomer(written.body.customer)
    showToast(written.ok ? done : (written.errors.note?.[0] ?? failureText(written, t)), written.ok ? {} : { kind: 'error' })
    return written.ok
  }
  // After a note the next one is another, even with the same words.
  const addNote = (note: string) => send('notes', { note }, t('customers.noted'), { once: `note-${id}-${customer.notes[0]?.id ?? 0}` })
  const askThen = async (question: Question, path: string, done: string) => {
    if (await ask(question)) await send(path, {}, done)
  }
  const signOut = () =>
    askThen(
      { title: t('customers.sign-out-title', { name }), text: t('customers.sign-out-text'), action: t('customers.sign-out') },
      'sign-out',
      t('customers.signed-out'),
    )
  const disable = () =>
    askThen(
      { title: t('customers.disable-title', { name }), text: t('customers.disable-text'), action: t('customers.disable') },
      'disable',
      t('customers.disabled-now'),
    )

  return (
    <AdminLayout
      title={name}
      note={<NumberAndCredit id={id} storeCredit={storeCredit} />}
      back={{ href: '/admin/customers', label: t('admin.nav.customers') }}
      actions={
        <Actions customer={customer} enable={() => void send('enable', {}, t('customers.enabled'))} disable={() => void disable()}>
          {customer.is_erased ? null : (
            <SendSms
              url={`/admin/customers/${id}/sms`}
              orderId={orders[0]?.id ?? null}
              phone={customer.phone}
              onSent={(one) => setSms((all) => [one, ...all.filter((other) => other.id !== one.id)])}
            />
          )}
        </Actions>
      }
    >
      {customer.disabled_at ? (
        <p className="mb-3 rounded-card bg-terracotta-100 px-3.5 py-2.5 font-semibold text-terracotta">
          {t('customers.closed-since', { when: formatDateTime(new Date(customer.disabled_at), lang) })}
        </p>
      ) : null}
      <CustomerCards customer={customer} />
      <div className="mt-4 grid items-start gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="space-y-4">
          <CustomerOrders customer={customer} orders={orders} />
          <Bookings bookings={bookings} />
          <Texts
            sms={sms}
            customer={customer}
            setOptOut={mayWrite ? (optedOut) => void send('opt-out', { opted_out: optedOut }, t('customers.opt-out-saved')) : null}
          />
        </div>
        <div className="space-y-4">
          <CustomerNotes notes={customer.notes} add={mayWrite ? addNote : null} />
          <Addresses addresses={customer.addresses} />
          <Coupons uses={customer.coupon_uses} />
          <Devices devices={customer.devices} signOut={mayWrite ? () => void signOut() : null} />
        </div>
      </div>
      {dialog}
    </AdminLayout>
  )
}

interface ActionsProps {
  customer: CustomerRecord
  enable(): void
  disable(): void
  children: ReactNode
}

/** What may be done with the customer, `children` beside it. */
function Actions({ customer, enable, disable, children }: ActionsProps) {
  const { t } = useI18n()
  const { can } = usePermissions()
  const mayWrite = can('customers.write') && !customer.is_erased
  const { id } = customer
  return (
    <>
      {mayWrite && !customer.disabled_at ? (
        <ButtonLink href={`/admin/orders/create?phone=${customer.phone}`}>
          <PlusIcon size={18} />
          {t('admin-orders.new')}
        </ButtonLink>
      ) : null}
      {children}
      {can('customers.read') ? (
        <ButtonLink kind="secondary" href={`/admin/customers/${id}/statement`}>
          {t('pos.account.statement')}
        </ButtonLink>
      ) : null}
      {mayWrite ? (
        <>
          <ButtonLink kind="secondary" href={`/admin/customers/${id}/edit`}>
            {t('customers.edit')}
          </ButtonLink>
          {customer.disabled_at ? (
            <Button kind="secondary" onClick={enable}>
              {t('customers.enable')}
            </Button>
          ) : (
            <>
              <ButtonLink kind="secondary" href={`/admin/customers/${id}/merge`}>
                {t('customers.merge')}
              </ButtonLink>
              <Button kind="quiet" onClick={disable}>
                {t('customers.disable')}
              </Button>
            </>
          )}
        </>
      ) : null}
    </>
  )
}

function NumberAndCredit({ id, storeCredit }: { id: number; storeCredit: Poisha }) {
  const { t, lang } = useI18n()
  return (
    <span className="tabular-nums text-stone">
      {t('customers.number', { id: localizeDigits(lang, String(id)) })}
      {storeCredit === 0 ? '' : ` · ${t('pos.credit.state', { balance: formatTaka(storeCredit, lang) })}`}
    </span>
  )
}
