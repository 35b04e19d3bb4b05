import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { CheckIcon } from '#components/icons.tsx'
import { showToast } from '#components/toast.tsx'
import type { OfficeClaim, OfficeOrder } from '#features/orders/office/order-details.server.ts'
import { money } from '#features/orders/ui/paper-money.ts'
import type { MessageKey } from '#lib/i18n.ts'
import { digitsIn } from '#lib/numbers.ts'
import { formatDateTime } from '#lib/time.ts'
import { useI18n } from '#site/app-root.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { useRights } from '../ui/use-rights.ts'
import { LedgerDialog } from './ledger-dialog.tsx'
import { RefuseAdvance } from './refuse-advance.tsx'

interface OrderMoneyProps {
  order: OfficeOrder
  onChange: (order: OfficeOrder) => void
}

const METHODS = ['cash', 'bank', 'bkash', 'nagad', 'sslcommerz']

/** What an order costs and what has been paid, row by row; payments and refunds are entered here, advances verified. */
export function OrderMoney({ order, onChange }: OrderMoneyProps) {
  const { t, lang } = useI18n()
  const { can } = useRights()
  const [entering, setEntering] = useState<'payments' | 'refunds' | null>(null)
  const method = (name: string) => (METHODS.includes(name) ? t(`method.${name}` as MessageKey & 'method.cash') : name)
  const settlementName = (how: string) => t(how === 'return' ? 'ledger.return' : 'ledger.settlement')
  const standing = {
    due: t('office-orders.due'),
    overpaid: t('office-orders.overpaid'),
    'to-refund': t('office-orders.to-refund'),
    settled: t('office-orders.due'),
  }[order.money]
  const isTrouble = order.money === 'overpaid' || order.money === 'to-refund'
  return (
    <section className="office-card p-4">
      <h2 className="text-lg">{t('office-orders.money')}</h2>
      <dl className="figures mt-2 space-y-0.5">
        <Row label={t('office-orders.total')} value={money(order.total, lang)} />
        {order.advance > 0 ? <Row label={t('office-orders.advance-wanted')} value={money(order.advance, lang)} isQuiet /> : null}
        {order.settlement === 0 ? null : <Row label={t('office-orders.since')} value={money(order.settlement, lang)} />}
        <Row label={t('office-orders.paid')} value={money(order.paid, lang)} />
        <div className={`flex justify-between gap-4 border-t border-line pt-1 text-lg font-semibold ${isTrouble ? 'text-terracotta' : ''}`}>
          <dt>{standing}</dt>
          <dd data-due>{money(Math.abs(order.due), lang)}</dd>
        </div>
      </dl>
      {order.payments.length === 0 ? (
        <p className="mt-2 text-sm text-stone">{t('office-orders.no-payments')}</p>
      ) : (
        <ul className="mt-3 divide-y divide-line border-y border-line text-sm">
          {order.payments.map((row) => (
            <li key={row.id} className="flex justify-between gap-3 py-1.5">
              <span className="min-w-0">
                {row.kind === 'settlement' ? settlementName(row.method) : `${t(`ledger.${row.kind}`)} · ${method(row.method)}`}
                {row.reference && row.kind !== 'settlement' ? (
                  <span className="figures block break-all text-stone">{row.reference}</span>
                ) : null}
                <span className="block text-stone">
                  {formatDateTime(new Date(row.at), lang)} {row.by ? t('office-orders.by', { name: row.by }) : null}
                </span>
              </span>
              {row.kind === 'settlement' ? (
                <span className="figures text-end whitespace-nowrap text-stone">
                  {t(row.amount < 0 ? 'settle.more' : 'settle.less', { amount: money(Math.abs(row.amount), lang) })}
                </span>
              ) : (
                <b className={`figures whitespace-nowrap ${row.amount < 0 ? 'text-terracotta' : ''}`}>{money(row.amount, lang)}</b>
              )}
            </li>
          ))}
        </ul>
      )}
      {order.claims.map((claim) => (
        <Claim key={claim.id} claim={claim} order={order} onChange={onChange} />
      ))}
      <div className="mt-3 flex flex-wrap gap-2">
        {can('payments.write') ? (
          <Button size="small" kind="secondary" onClick={() => setEntering('payments')}>
            {t('office-orders.record-payment')}
          </Button>
        ) : null}
        {can('payments.refund') && order.paid > 0 ? (
          <Button size="small" kind="quiet" onClick={() => setEntering('refunds')}>
            {t('office-orders.record-refund')}
          </Button>
        ) : null}
      </div>
      {entering ? <LedgerDialog kind={entering} order={order} close={() => setEntering(null)} onChange={onChange} /> : null}
    </section>
  )
}

function Row({ label, value, isQuiet = false }: { label: string; value: string; isQuiet?: boolean }) {
  return (
    <div className={`flex justify-between gap-4 ${isQuiet ? 'text-sm text-stone' : ''}`}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function Claim({ claim, order, onChange }: { claim: OfficeClaim } & OrderMoneyProps) {
  const { t, lang } = useI18n()
  const { can } = useRights()
  const [isBusy, setBusy] = useState(false)
  const [isRefusing, setRefusing] = useState(false)
  async function verify() {
    setBusy(true)
    const written = await adminPost<{ order: OfficeOrder; late: boolean }>(`/admin/advances/verify/${claim.id}`, {})
    setBusy(false)
    if (!written.ok) return showToast(written.message ?? t('office.no-answer'), { kind: 'error' })
    onChange(written.body.order)
    showToast(t(written.body.late ? 'advances.verified-late' : 'advances.verified', { id: digitsIn(lang, String(order.id)) }))
  }
  return (
    <div className={`mt-3 rounded-card p-3 text-sm ${claim.state === 'waiting' ? 'stitch bg-tag-100' : 'bg-sand'}`}>
      <p className="flex justify-between gap-3">
        <span className="min-w-0">
          {t('ledger.advance')} · {t(`method.${claim.method}`)} <b className="figures break-all select-all">{claim.transaction_id}</b>
        </span>
        <b className="figures whitespace-nowrap">{money(claim.amount, lang)}</b>
      </p>
      <p className="text-stone">
        {digitsIn(lang, claim.sender)} · {formatDateTime(new Date(claim.at), lang)}
      </p>
      {claim.state === 'waiting' ? (
        can('payments.write') ? (
          <div className="mt-2 flex flex-wrap gap-2">
            <Button
              size="small"
              busy={isBusy}
              onClick={verify}
              aria-label={t('advances.verify-of', { id: digitsIn(lang, String(order.id)), amount: money(claim.amount, lang) })}
            >
              <CheckIcon size={17} />
              {t('advances.verify')}
            </Button>
            <Button size="small" kind="quiet" onClick={() => setRefusing(true)}>
              {t('advances.refuse')}
            </Button>
          </div>
        ) : null
      ) : (
        <p className={claim.state === 'verified' ? 'text-leaf-800' : 'text-terracotta'}>
          {t(`advance.state.${claim.state}`)} {claim.decided_by ? t('office-orders.by', { name: claim.decided_by }) : null}
        </p>
      )}
      {isRefusing ? <RefuseAdvance claimId={claim.id} orderId={order.id} close={() => setRefusing(false)} onRefused={onChange} /> : null}
    </div>
  )
}
