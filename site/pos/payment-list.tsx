import { Button } from '#components/button.tsx'
import type { NoncashMethod } from '#features/pos/rules.ts'
import type { ShiftPayment } from '#features/pos/shift-queries.server.ts'
import { formatTaka } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { dhakaTime, formatTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'

interface PaymentListProps {
  method: NoncashMethod
  payments: ShiftPayment[]
  ticked: readonly number[]
  onTick: (ticked: number[]) => void
}

/** The wallet or bank payments of the shift with their transaction ids, ticked off against the provider's list. */
export function PaymentList({ method, payments, ticked, onTick }: PaymentListProps) {
  const { t, lang } = useI18n()
  const own = payments.map(({ id }) => id)
  const missing = payments.filter(({ reference }) => reference === null).length
  const all = own.length > 0 && own.every((id) => ticked.includes(id))
  return (
    <>
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-lg">{t(`pos.${method}`)}</h2>
        {own.length > 1 ? (
          <Button
            kind="quiet"
            size="small"
            onClick={() => onTick(all ? ticked.filter((id) => !own.includes(id)) : [...new Set([...ticked, ...own])])}
          >
            {t(all ? 'pos.tick-none' : 'pos.tick-all')}
          </Button>
        ) : null}
      </div>
      {payments.length === 0 ? <p className="text-stone">{t('pos.no-payments')}</p> : null}
      {missing > 0 ? (
        <p className="text-sm font-semibold text-terracotta">{t('pos.ids-missing', { count: localizeDigits(lang, String(missing)) })}</p>
      ) : null}
      <ul className="divide-y divide-line">
        {payments.map((one) => (
          <li key={one.id}>
            <label className="flex min-h-12 items-center gap-3 py-1">
              <input
                type="checkbox"
                className="size-6 shrink-0 accent-leaf-600"
                checked={ticked.includes(one.id)}
                onChange={({ target }) => onTick(target.checked ? [...ticked, one.id] : ticked.filter((id) => id !== one.id))}
              />
              <span className="min-w-0 grow">
                <span className={`tabular-nums block break-all ${one.reference ? 'font-semibold' : 'text-terracotta'}`}>
                  {one.reference ?? t('pos.no-id')}
                </span>
                <span className="block text-sm text-stone">
                  {t(one.order_id === null ? 'pos.receiptless.payment-of' : 'pos.payment-of', {
                    id: localizeDigits(lang, String(one.order_id ?? one.return_id)),
                    time: formatTime(dhakaTime(new Date(one.at)), lang),
                  })}
                </span>
              </span>
              <b className={`tabular-nums ${one.amount < 0 ? 'text-terracotta' : ''}`}>{formatTaka(one.amount, lang)}</b>
            </label>
          </li>
        ))}
      </ul>
    </>
  )
}
