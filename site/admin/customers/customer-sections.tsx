import type { ReactNode } from 'react'
import { Button } from '#components/button.tsx'
import { deviceLabel } from '#features/auth/device-name-rules.ts'
import type { DeviceRow } from '#features/auth/sessions.server.ts'
import type { Address } from '#features/customers/address-rules.ts'
import type { CouponUse, CustomerRecord } from '#features/customers/customer-record.server.ts'
import type { BookingRow } from '#features/kurbani/booking-queries.server.ts'
import { rangeText } from '#features/kurbani/rules.ts'
import type { SmsJson } from '#features/messaging/types.ts'
import { SmsStateTag } from '#features/messaging/ui/sms-state.tsx'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { dhakaDate, formatDateTime, formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'

function Section({ title, more, children }: { title: string; more?: ReactNode; children: ReactNode }) {
  return (
    <section className="admin-card p-4">
      <div className="flex items-baseline gap-3">
        <h2 className="text-lg">{title}</h2>
        {more ? <span className="ms-auto text-sm">{more}</span> : null}
      </div>
      <div className="mt-2 text-sm">{children}</div>
    </section>
  )
}

export function Addresses({ addresses }: { addresses: Address[] }) {
  const { t, lang } = useI18n()
  return (
    <Section title={t('customers.addresses')}>
      {addresses.length === 0 ? <p className="text-stone">{t('customers.no-addresses')}</p> : null}
      <ul className="divide-y divide-line">
        {addresses.map((one) => (
          <li key={one.id} className="py-2 break-words">
            <b>{one.name}</b> {one.is_default ? <span className="chip chip-leaf">{t('customers.default')}</span> : null}
            <span className="block">{[one.address, one.landmark].filter(Boolean).join(', ')}</span>
            {one.phone ? <span className="tabular-nums block text-stone">{localizeDigits(lang, one.phone)}</span> : null}
          </li>
        ))}
      </ul>
    </Section>
  )
}

export function Coupons({ uses }: { uses: CouponUse[] }) {
  const { t, lang } = useI18n()
  if (uses.length === 0) return null
  return (
    <Section title={t('customers.coupons')}>
      <ul className="divide-y divide-line">
        {uses.map((use) => (
          <li key={use.order_id} className="flex flex-wrap items-baseline gap-x-2 py-1.5">
            <b>{use.code}</b>
            <a href={`/admin/orders/update/${use.order_id}`} className="tabular-nums text-leaf-800 hover:underline">
              {localizeDigits(lang, String(use.order_id))}
            </a>
            <span className="text-stone">{formatDay(dhakaDate(new Date(use.at)), lang)}</span>
            <span className="tabular-nums ms-auto">{use.is_freed ? t('customers.coupon-freed') : money(use.discount, lang)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** A pre-booking with its district in the language of the page. */
export type CustomerBooking = BookingRow & { place: string }

export function Bookings({ bookings }: { bookings: CustomerBooking[] }) {
  const { t, lang } = useI18n()
  if (bookings.length === 0) return null
  return (
    <Section title={t('customers.bookings')}>
      <ul className="divide-y divide-line">
        {bookings.map((one) => (
          <li key={one.id} className="py-1.5 break-words">
            <a href={`/admin/bookings?q=${one.phone}`} className="font-semibold text-leaf-800 hover:underline">
              {rangeText(one.price_range, lang)}
            </a>{' '}
            <span className="chip chip-indigo">{t(`bookings.state.${one.state}`)}</span>
            <span className="block text-stone">
              {[formatDateTime(new Date(one.created_at), lang), one.place].filter(Boolean).join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

interface TextsProps {
  sms: SmsJson[]
  customer: CustomerRecord
  /** Null without the permission. */
  setOptOut: ((optedOut: boolean) => void) | null
}

export function Texts({ sms, customer: { phone, opt_out }, setOptOut }: TextsProps) {
  const { t, lang } = useI18n()
  const all =
    sms.length === 0 ? null : (
      <a href={`/admin/sms?q=${phone}`} className="font-semibold text-leaf-600 hover:underline">
        {t('customers.all-sms')}
      </a>
    )
  return (
    <Section title={t('customers.sms')} more={all}>
      <label className="flex min-h-11 items-center gap-2.5 font-semibold">
        <input
          type="checkbox"
          checked={opt_out !== null}
          disabled={setOptOut === null}
          aria-describedby="opt-out-hint"
          onChange={(event) => setOptOut?.(event.target.checked)}
          className="size-5 accent-leaf-600"
        />
        {t('customers.no-campaigns')}
      </label>
      <p id="opt-out-hint" className="ms-7.5 text-stone">
        {opt_out === 'link' ? `${t('customers.no-campaigns-link')} ` : ''}
        {t('customers.no-campaigns-hint')}
      </p>
      <ul className="divide-y divide-line">
        {sms.map((one) => (
          <li key={one.id} className="py-2">
            <p className="break-words whitespace-pre-line">{one.text}</p>
            <p className="mt-1 flex flex-wrap items-center gap-2 text-stone">
              <SmsStateTag state={one.state} />
              {formatDateTime(new Date(one.created_at), lang)}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

export function Devices({ devices, signOut }: { devices: DeviceRow[]; signOut: (() => void) | null }) {
  const { t, lang } = useI18n()
  return (
    <Section title={t('customers.devices')}>
      {devices.length === 0 ? <p className="text-stone">{t('customers.no-devices')}</p> : null}
      <ul className="divide-y divide-line">
        {devices.map((one) => (
          <li key={one.id} className="py-1.5 break-words">
            {deviceLabel(one, (known) => t('customers.device-on', known)) ?? t('customers.unknown-device')}
            <span className="block text-stone">{t('customers.last-seen', { when: formatDateTime(new Date(one.lastSeenAt), lang) })}</span>
          </li>
        ))}
      </ul>
      {devices.length > 0 && signOut ? (
        <Button size="small" kind="secondary" className="mt-2" onClick={signOut}>
          {t('customers.sign-out')}
        </Button>
      ) : null}
    </Section>
  )
}
