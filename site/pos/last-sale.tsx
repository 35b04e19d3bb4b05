import { Button, ButtonLink } from '#components/button.tsx'
import { AlertIcon, CheckIcon } from '#components/icons.tsx'
import { formatTaka, poisha, type Poisha, takaToPoisha, ZERO } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { type QueuedSale, shortNumber } from './device/outbox-rules.ts'
import { paidBackOf } from './exchange.ts'
import { showAppeared } from './focus-field.ts'
import type { LastSale } from './use-last-sale.ts'
import type { Receipt } from './use-receipts.ts'

interface LastSaleProps {
  last: LastSale
  /** The receipt as printed last. */
  receipt: Receipt | null
  onPrint: () => void
}

/** The last sale, until the next one begins: number, sums, and the change, readable from a metre. */
export function LastSalePanel({ last, receipt, onPrint }: LastSaleProps) {
  const { queued, orderId, reason } = last
  const { t, lang } = useI18n()
  const taka = (amount: unknown) => formatTaka(takaToPoisha(Number(amount)), lang)
  const sums = useSums(queued)
  const isFromDevice = orderId !== null && receipt?.sale.queued.key === queued.key && receipt.printed === null
  const paidBack = paidBackOf(queued.body)
  const hasChange = Number(queued.body.change_amount) > 0
  return (
    <section
      // A phone was scrolled down to the payment.
      ref={showAppeared}
      role="status"
      aria-label={t('pos.last.title')}
      data-last-sale={orderId ?? shortNumber(queued.key)}
      className="scroll-mt-44 scroll-mb-24 rounded-card border-2 border-leaf-600 bg-milk p-4 lg:scroll-my-4"
    >
      <LastSaleHead last={last} hasDeviceNumber={isFromDevice && receipt.sale.orderId === null} />
      {reason ? <p className="mt-1">{t(`pos.stored.${reason}`)}</p> : null}
      {isFromDevice ? <p className="mt-1 font-semibold">{t('pos.last.from-device')}</p> : null}
      <dl className="tabular-nums mt-3 flex flex-wrap items-end gap-x-8 gap-y-3">
        {sums.map(([label, amount]) => (
          <div key={label}>
            <dt className="text-sm text-stone">{label}</dt>
            <dd className="text-2xl font-semibold">{formatTaka(amount, lang)}</dd>
          </div>
        ))}
        {paidBack > 0 ? (
          <div className="min-w-0">
            <dt className="text-sm text-stone">{t('pos.exchange.to-refund')}</dt>
            <dd className="text-5xl leading-tight font-semibold break-words text-indigo" data-paid-back>
              {taka(paidBack)}
            </dd>
          </div>
        ) : null}
        <div className="min-w-0">
          <dt className="text-sm text-stone">{t('pos.change')}</dt>
          <dd className={`font-semibold break-words ${hasChange ? 'text-5xl leading-tight text-indigo' : 'text-2xl'}`} data-change>
            {taka(queued.body.change_amount)}
          </dd>
        </div>
      </dl>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button kind="secondary" onClick={onPrint}>
          {t(isFromDevice ? 'pos.last.print-again' : 'pos.last.print')} <kbd className="kbd max-lg:hidden">F3</kbd>
        </Button>
        {orderId === null ? null : (
          <ButtonLink kind="quiet" href={`/admin/quick-orders/pos-invoice/${orderId}`} target="_blank" rel="noopener">
            {t('pos.last.open')}
          </ButtonLink>
        )}
      </div>
    </section>
  )
}

/** `hasDeviceNumber`: the customer has a receipt with the number of the device. */
function LastSaleHead({ last: { queued, orderId, reason }, hasDeviceNumber }: Pick<LastSaleProps, 'last'> & { hasDeviceNumber: boolean }) {
  const { t, lang } = useI18n()
  const number = t('pos.receipt-number', { number: shortNumber(queued.key) })
  return (
    <h3 className="flex flex-wrap items-center gap-2 text-lg">
      <span className={reason ? 'text-mango' : 'text-leaf-600'}>{reason ? <AlertIcon /> : <CheckIcon />}</span>
      <span className="text-stone">{t('pos.last.title')}</span>
      {orderId === null ? number : t('pos.last.order', { id: localizeDigits(lang, String(orderId)) })}
      {hasDeviceNumber ? <span className="text-stone">{number}</span> : null}
    </h3>
  )
}

/** The total of a sale, what is not paid in money, and what was handed over. Sums of numbers of taka would be inexact. */
function useSums({ total, body, sale }: QueuedSale): [label: string, amount: Poisha][] {
  const { t } = useI18n()
  const amountOf = (field: string) => takaToPoisha(Number(body[field] ?? 0))
  const [storeCredit, onAccount, paid, change] = [
    amountOf('store_credit'),
    amountOf('on_account'),
    amountOf('paid_amount'),
    amountOf('change_amount'),
  ]
  const whole = takaToPoisha(total)
  const unpaid: [string, Poisha][] = [
    [t('pos.exchange.value'), sale?.exchange?.refund ?? ZERO],
    [t('pos.store_credit'), storeCredit],
    [t('pos.account.on-account'), onAccount],
  ]
  return [
    // The rounded total, where cash is rounded.
    [t('pos.total'), body.exchange ? whole : poisha(paid - change + storeCredit + onAccount)],
    ...unpaid.filter(([, amount]) => amount > 0),
    [t('pos.last.paid'), paid],
  ]
}
