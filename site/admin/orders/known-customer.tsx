import { useEffect, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import type { KnownCustomer as Known } from '#features/orders/editing/known-customer.server.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { dhakaDate, formatDay } from '#lib/format/time.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import type { SharedForm } from './order-values.ts'

const WAIT_MS = 250

interface KnownCustomerProps {
  form: SharedForm
  areas: { id: number; area_name: string }[]
}

/** Whom the typed phone belongs to: the name is filled in, and where it was brought before is one press. */
export function KnownCustomer({ form, areas }: KnownCustomerProps) {
  const { t, lang } = useI18n()
  const known = useKnown(form)
  if (!known) return null
  const { orders_count: count, last_order_at: last } = known
  const places = known.places.flatMap((place) => {
    const area = areas.find(({ id }) => id === place.area_id)
    return area ? [{ ...place, area_name: area.area_name }] : []
  })
  const take = ({ address, landmark, area_id }: Known['places'][number]) => {
    form.set('address', address)
    form.set('landmark', landmark)
    form.set('area_id', String(area_id))
  }
  return (
    <div className="stitch rounded-card bg-tag-100 px-3.5 py-2.5">
      <p role="status">
        <a
          href={`/admin/customers/${known.id}`}
          target="_blank"
          rel="noreferrer"
          className="font-semibold wrap-anywhere text-leaf-800 underline underline-offset-4"
        >
          {known.name || t('admin-orders.customer')}
        </a>{' '}
        <span className="text-sm text-stone">
          {count === 0 || last === null
            ? t('admin-orders.known-new')
            : t('admin-orders.known-orders', { count: formatNumber(count, lang), last: formatDay(dhakaDate(new Date(last)), lang) })}
        </span>{' '}
        {known.is_closed ? <span className="chip chip-terracotta">{t('admin-orders.known-closed')}</span> : null}
      </p>
      {places.length > 0 ? (
        <div className="mt-2 flex flex-wrap items-center gap-2">
          <span className="text-sm text-stone">{t('admin-orders.known-places')}</span>
          {places.map((place) => (
            <Button
              key={`${place.area_id} ${place.address}`}
              size="small"
              kind="secondary"
              className="max-w-full"
              onClick={() => take(place)}
            >
              <span className="line-clamp-2 text-start wrap-anywhere">
                {place.address} · {place.area_name}
              </span>
            </Button>
          ))}
        </div>
      ) : null}
    </div>
  )
}

/** Looks up the customer of a complete phone number, and fills in name and email unless they were edited. */
function useKnown(form: SharedForm): Known | null {
  const [known, setKnown] = useState<Known | null>(null)
  const filled = useRef({ name: '', email: '' })
  const phone = normalizePhone(form.values.phone ?? '')
  const { set } = form
  useEffect(() => {
    const take = (customer: Known | null) => {
      const before = filled.current
      filled.current = { name: customer?.name ?? '', email: customer?.email ?? '' }
      const { name, email } = filled.current
      set('name', (now) => (now === before.name ? name : now))
      set('email', (now) => (now === before.email ? email : now))
      setKnown(customer)
    }
    if (phone === null) return take(null)
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      const answer = await call<{ customer: Known | null }>(`/api/admin/orders/customer?phone=${phone}`, { signal: stop.signal })
      if (!stop.signal.aborted) take(answer.ok ? answer.body.customer : null)
    }, WAIT_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [phone, set])
  return known
}
