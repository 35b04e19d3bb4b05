import type { OrderEmailJson } from '#features/email/queries.server.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'

/** The emails of an order with their state; nothing for an order without any. */
export function OrderEmails({ emails }: { emails: OrderEmailJson[] }) {
  const { t, lang } = useI18n()
  if (emails.length === 0) return null
  return (
    <section className="admin-card p-4" aria-labelledby="order-emails">
      <h2 id="order-emails" className="text-lg">
        {t('admin-orders.emails')}
      </h2>
      <ul className="mt-1 divide-y divide-line">
        {emails.map(({ id, kind, state, failure, recipient, at }) => (
          <li key={id} className="py-1.5 text-sm">
            <span className="flex justify-between gap-3">
              <span className="font-medium">{t(`admin-orders.email.${kind}`)}</span>
              <span className={state === 'failed' ? 'text-berry-700' : 'text-stone'}>{t(`admin-orders.email-state.${state}`)}</span>
            </span>
            <span className="block break-all text-stone">
              {recipient} · {formatDateTime(new Date(at), lang)}
              {failure === null || state === 'sent' ? '' : ` · ${failure}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
