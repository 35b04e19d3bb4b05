import type { ReactNode } from 'react'
import type { CustomerRecord } from '#features/customers/customer-record.server.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { callLink } from '#lib/format/contact-links.ts'
import { localizeDigits, formatNumber } from '#lib/format/numbers.ts'
import { dhakaDate, formatLongDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { lastOrder } from './totals.ts'
import { Figure } from '../ui/figure.tsx'

/** The customer's details and totals. */
export function CustomerCards({ customer }: { customer: CustomerRecord }) {
  const { t, lang } = useI18n()
  return (
    <div className="grid grid-cols-1 gap-3 md:grid-cols-[minmax(0,1.4fr)_minmax(0,2fr)]">
      <section className="admin-card p-4 text-sm">
        <dl className="space-y-1.5">
          <Detail name={t('customers.phone')}>
            <a href={callLink(customer.phone)} className="tabular-nums font-semibold text-leaf-800 hover:underline">
              {localizeDigits(lang, customer.phone)}
            </a>
          </Detail>
          {customer.other_phones.length > 0 ? (
            <Detail name={t('customers.other-phones')}>
              {customer.other_phones.map((other) => (
                <a key={other.id} href={callLink(other.phone)} className="tabular-nums block text-leaf-800 hover:underline">
                  {localizeDigits(lang, other.phone)}
                </a>
              ))}
            </Detail>
          ) : null}
          {customer.email ? (
            <Detail name={t('customers.email')}>
              <span className="break-all">{customer.email}</span>
            </Detail>
          ) : null}
          <Detail name={t('customers.account')}>
            {t(customer.has_account ? 'customers.has-account' : 'customers.guest')}
            {customer.is_phone_verified ? <span className="block text-stone">{t('customers.verified')}</span> : null}
          </Detail>
          <Detail name={t('customers.since')}>{formatLongDay(dhakaDate(new Date(customer.created_at)), lang)}</Detail>
        </dl>
      </section>
      <dl className="grid grid-cols-2 gap-3 2xl:grid-cols-4">
        <Figure name={t('customers.spent')}>{money(customer.spent, lang)}</Figure>
        <Figure name={t('customers.orders')} note={t('customers.delivered', { count: formatNumber(customer.delivered_count, lang) })}>
          {formatNumber(customer.orders_count, lang)}
        </Figure>
        <Figure
          name={t('customers.due')}
          note={
            customer.refund_due > 0 ? (
              <b className="text-terracotta">{t('customers.refund-due', { amount: money(customer.refund_due, lang) })}</b>
            ) : undefined
          }
        >
          <span className={customer.due > 0 ? 'text-terracotta' : ''}>{money(customer.due, lang)}</span>
        </Figure>
        <Figure name={t('customers.last-order')}>{lastOrder(customer.last_order_at, t, lang)}</Figure>
      </dl>
    </div>
  )
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[8rem_minmax(0,1fr)] gap-2">
      <dt className="text-stone">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
