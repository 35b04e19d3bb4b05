import type { ReactNode } from 'react'
import type { DayReport } from '#features/pos/day-report.server.ts'
import { differenceToLedger } from '#features/pos/rules.ts'
import { formatTaka, poisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { dhakaTime, formatTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'

/** The day report of all POS shifts: in columns on screen, one below the other on a receipt. */
export function DayReportTables({ report, isReceipt = false }: { report: DayReport; isReceipt?: boolean }) {
  const { t, lang } = useI18n()
  const taka = (amount: number) => formatTaka(poisha(amount), lang)
  const count = (number: number) => localizeDigits(lang, String(number))
  const less = (label: 'pos.report.returns' | 'pos.return.refund', amount: number) =>
    amount > 0 ? `${t(label)} ${taka(-amount)}` : undefined
  const hour = (of: number) => formatTime(`${String(of).padStart(2, '0')}:00`, lang)
  return (
    <div className={isReceipt ? 'space-y-3' : 'grid gap-4 md:grid-cols-2 xl:grid-cols-3 print:grid-cols-2'}>
      <SalesPart report={report} isReceipt={isReceipt} />
      <Part title={t('pos.report.methods')} isReceipt={isReceipt}>
        {report.methods.map(({ method, taken, given }) => (
          <Row key={method} label={t(`pos.${method}`)} note={less('pos.return.refund', given)} value={taka(taken - given)} />
        ))}
      </Part>
      {report.categories.length > 0 ? (
        <Part
          title={t('pos.report.categories')}
          isReceipt={isReceipt}
          foot={
            report.discount === 0 && report.delivery === 0 && report.edited === 0 ? null : (
              <p className="text-sm">{t('pos.report.categories-hint')}</p>
            )
          }
        >
          {report.categories.map(({ id, name, sold, returned }) => (
            <Row
              key={id}
              label={name || t('reports.no-category')}
              note={less('pos.report.returns', returned)}
              value={taka(sold - returned)}
            />
          ))}
        </Part>
      ) : null}
      {report.hours.length > 0 ? (
        <Part title={t('pos.report.hours')} isReceipt={isReceipt}>
          {report.hours.map(({ hour: of, sales, total }) => (
            <Row key={of} label={hour(of)} note={count(sales)} value={taka(total)} />
          ))}
        </Part>
      ) : null}
      {report.moves.length > 0 ? (
        <Part title={t('pos.cash-moves')} isReceipt={isReceipt}>
          {report.moves.map((move) => (
            <Row key={move.id} label={`${formatTime(dhakaTime(new Date(move.at)), lang)} ${move.reason}`} value={taka(move.amount)} />
          ))}
        </Part>
      ) : null}
      {report.receiptless.length > 0 ? (
        <Part title={t('pos.report.receiptless')} isReceipt={isReceipt}>
          {report.receiptless.map(({ id, by, phone, refund, reason }) => (
            <Row key={id} label={[count(id), by, localizeDigits(lang, phone), reason].join(' · ')} value={taka(-refund)} />
          ))}
        </Part>
      ) : null}
      {report.approved.length > 0 ? (
        <Part title={t('pos.report.approved')} isReceipt={isReceipt}>
          {report.approved.map(({ order_id, by, discount }) => (
            <Row key={order_id} label={`${count(order_id)} · ${by}`} value={discount > 0 ? taka(discount) : ''} />
          ))}
        </Part>
      ) : null}
    </div>
  )
}

/** Sales, returns and rounding of the day, and whether the ledger agrees. */
function SalesPart({ report, isReceipt }: { report: DayReport; isReceipt: boolean }) {
  const { t, lang } = useI18n()
  const taka = (amount: number) => formatTaka(poisha(amount), lang)
  const count = (number: number) => localizeDigits(lang, String(number))
  const difference = differenceToLedger(report)
  const foot = (
    <p className={`pt-1 text-sm ${difference === 0 ? 'text-leaf-700' : 'font-semibold text-terracotta'}`} data-ledger={difference}>
      {difference === 0 ? t('pos.report.agrees') : t('pos.report.differs', { amount: taka(difference) })}
    </p>
  )
  return (
    <Part title={t('pos.sales')} isReceipt={isReceipt} foot={foot}>
      <Row label={t('pos.report.goods')} note={t('pos.report.of-sales', { count: count(report.sales) })} value={taka(report.goods)} />
      {report.discount === 0 ? null : <Row label={t('pos.discount')} value={taka(-report.discount)} />}
      {report.delivery === 0 ? null : <Row label={t('pos.delivery')} value={taka(report.delivery)} />}
      {report.edited === 0 ? null : <Row label={t('pos.report.edited')} value={taka(-report.edited)} />}
      <Row label={t('pos.total')} value={taka(report.total)} strong />
      {report.returns === 0 ? null : (
        <Row label={t('pos.report.returns')} note={count(report.returns)} value={taka(-report.refunds - report.off_due)} />
      )}
      {report.exchanges.count === 0 ? null : (
        <Row label={t('pos.report.exchanges')} note={count(report.exchanges.count)} value={taka(report.exchanges.value)} />
      )}
      {report.edited === 0 ? null : <Row label={t('pos.report.edited')} value={taka(report.edited)} />}
      {report.rounding === 0 ? null : <Row label={t('ledger.rounding')} value={taka(report.rounding)} />}
      <Row
        label={t('pos.report.net')}
        value={taka(report.total + report.edited - report.refunds - report.off_due + report.rounding)}
        strong
      />
      {report.on_account === 0 ? null : <Row label={t('pos.account.on-account')} value={taka(-report.on_account)} />}
      {report.off_due === 0 ? null : <Row label={t('pos.report.off-due')} value={taka(report.off_due)} />}
      {report.store_credit.used === 0 ? null : <Row label={t('pos.credit.used')} value={taka(-report.store_credit.used)} />}
      {report.store_credit.issued === 0 ? null : <Row label={t('pos.credit.issued')} value={taka(report.store_credit.issued)} />}
      {report.account_payments === 0 ? null : <Row label={t('pos.account.payments')} value={taka(report.account_payments)} />}
    </Part>
  )
}

function Part({ title, isReceipt, foot, children }: { title: string; isReceipt: boolean; foot?: ReactNode; children: ReactNode }) {
  return (
    <section
      className={isReceipt ? 'border-t border-dashed border-black pt-1' : 'break-inside-avoid rounded-card border border-line bg-milk p-4'}
    >
      <h2 className={isReceipt ? 'font-semibold' : 'mb-1 text-lg'}>{title}</h2>
      <dl className="tabular-nums">{children}</dl>
      {foot}
    </section>
  )
}

function Row({ label, note, value, strong = false }: { label: string; note?: string | undefined; value: string; strong?: boolean }) {
  return (
    <div className={`flex items-baseline justify-between gap-3 ${strong ? 'border-t border-current/20 font-semibold' : ''}`}>
      <dt className={`min-w-0 break-words ${strong ? '' : 'font-normal'}`}>{label}</dt>
      {note ? <dd className="ms-auto text-sm text-stone">{note}</dd> : null}
      <dd className="whitespace-nowrap">{value}</dd>
    </div>
  )
}
