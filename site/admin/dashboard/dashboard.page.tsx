import { MAX_TASK_COUNT } from '#features/reports/limits.ts'
import type { SalesPart } from '#features/reports/sales.server.ts'
import type { DayLoad, LowStockItem, Task } from '#features/reports/dashboard-tasks.server.ts'
import type { SetupStepKey } from '#features/setup/setup-rules.ts'
import { formatNumber, formatQuantity } from '#lib/format/numbers.ts'
import { formatDay, formatLongDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { LateBackup } from '../backups/late-backup.tsx'
import { DeliveryReminders } from '../orders/delivery-reminders.tsx'
import { SalesChart } from '../reports/sales-chart.tsx'
import { FirstSteps, Workplace } from './first-steps.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { AlertIcon } from '../ui/icons.tsx'

export interface Props {
  today: string
  tasks: Task[]
  low: LowStockItem[]
  /** The coming days; none for whom orders are none of the work. */
  load: DayLoad[]
  /** The last days; null for whom reports are none of the work. */
  sales: SalesPart[] | null
  /** Number of customers without a reminder for tomorrow's delivery; 0 without the permission for SMS. */
  notReminded: number
  delivery_sms: { automatic: boolean; hour: number }
  /** The daily SMS budget when it is used up and order SMS wait; else null. Null without the permission for SMS. */
  smsLimitReached: number | null
  /** No backup of the last 26 hours; false without the permission for backups. */
  isBackupLate: boolean
  /** What leads to the first order; null once there are orders. */
  start: { steps: SetupStepKey[]; canOrder: boolean } | null
}

/** Tasks of the day. */
export function Page({ today, tasks, low, load, sales, notReminded, delivery_sms, smsLimitReached, isBackupLate, start }: Props) {
  const { t, lang } = useI18n()
  return (
    <AdminLayout title={t('admin.nav.dashboard')} note={<span className="text-stone">{formatLongDay(today, lang)}</span>}>
      {isBackupLate ? <LateBackup withLink /> : null}
      {smsLimitReached === null ? null : (
        <p role="alert" className="mb-3 flex items-start gap-2 rounded-card bg-terracotta-100 px-4 py-3 text-terracotta">
          <AlertIcon className="mt-0.5 shrink-0" />
          <span>
            {t('sms.budget.used-up', { limit: formatNumber(smsLimitReached, lang) })}{' '}
            <a href="/admin/sms" className="font-semibold whitespace-nowrap underline underline-offset-4">
              {t('admin.nav.sms')}
            </a>
          </span>
        </p>
      )}
      {start ? (
        <FirstSteps {...start} />
      ) : tasks.length > 0 ? (
        <ul className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-3 md:grid-cols-3 xl:grid-cols-5">
          {tasks.map((task) => (
            <li key={task.key}>
              <TaskCard task={task} />
            </li>
          ))}
        </ul>
      ) : (
        <div className="admin-card grid justify-items-start gap-3 p-5">
          <p className="text-stone">{t('today.nothing')}</p>
          <Workplace />
        </div>
      )}
      {notReminded > 0 ? <DeliveryReminders notReminded={notReminded} {...delivery_sms} /> : null}
      <div className="mt-4 grid gap-4 xl:grid-cols-2">
        {load.length > 0 && !start ? <DeliveryLoad load={load} /> : null}
        {sales && !start ? <RecentSales sales={sales} /> : null}
        {low.length > 0 ? <LowStock low={low} /> : null}
      </div>
    </AdminLayout>
  )
}

const URGENT: ReadonlySet<Task['key']> = new Set(['late', 'season', 'payments', 'refund', 'attention', 'sms'])

function TaskCard({ task: { key, count, href } }: { task: Task }) {
  const { t, lang } = useI18n()
  const shown = count > MAX_TASK_COUNT ? `${formatNumber(MAX_TASK_COUNT, lang)}+` : formatNumber(count, lang)
  const isUrgent = count > 0 && URGENT.has(key)
  return (
    <a href={href} className="admin-card flex h-full flex-col px-4 py-3 hover:border-leaf-600 hover:bg-leaf-100/50">
      <span
        className={`tabular-nums text-3xl leading-tight font-semibold ${count === 0 ? 'text-stone' : isUrgent ? 'text-terracotta' : 'text-leaf-800'}`}
      >
        {shown}
      </span>
      <span className="font-semibold">{t(`today.${key}`)}</span>
      <span className="text-sm text-stone">{t(`today.${key}-hint`)}</span>
    </a>
  )
}

/** How much is to be delivered on which day: each leads to its list. */
function DeliveryLoad({ load }: { load: DayLoad[] }) {
  const { t, lang } = useI18n()
  const max = Math.max(...load.map(({ orders }) => orders), 1)
  const names = [t('today.load-today'), t('today.load-tomorrow')]
  return (
    <section className="admin-card p-4">
      <h2 className="text-lg">{t('today.load')}</h2>
      <ul className="mt-1">
        {load.map(({ day, orders }, at) => (
          <li key={day}>
            <a
              href={`/admin/orders?list_on=${day}&open=1`}
              className="grid min-h-11 grid-cols-[6.5rem_minmax(0,1fr)_3rem] items-center gap-3 hover:underline"
            >
              <span className="whitespace-nowrap">{names[at] ?? formatDay(day, lang)}</span>
              <span aria-hidden="true" className="h-4 rounded-tag bg-sand">
                <span
                  className="block h-full rounded-tag bg-leaf-600 forced-colors:bg-[CanvasText]"
                  style={{ width: `${(orders / max) * 100}%` }}
                />
              </span>
              <span className="tabular-nums text-end font-semibold">{formatNumber(orders, lang)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function RecentSales({ sales }: { sales: SalesPart[] }) {
  const { t } = useI18n()
  return (
    <section className="admin-card p-4">
      <div className="mb-1 flex items-center justify-between gap-3">
        <h2 className="text-lg">{t('today.sales')}</h2>
        <a
          href="/admin/reports"
          className="-my-2.5 inline-flex min-h-11 items-center text-sm font-semibold text-leaf-600 underline underline-offset-4"
        >
          {t('admin.nav.reports')}
        </a>
      </div>
      {sales.some(({ total_poisha }) => total_poisha > 0) ? (
        <SalesChart label={t('today.sales')} parts={sales} />
      ) : (
        <p className="py-6 text-center text-stone">{t('reports.nothing')}</p>
      )}
    </section>
  )
}

function LowStock({ low }: { low: LowStockItem[] }) {
  const { t, lang } = useI18n()
  return (
    <section className="admin-card p-4 xl:col-span-2">
      <h2 className="text-lg">{t('today.low')}</h2>
      <ul className="mt-1 gap-8 sm:columns-2">
        {low.map(({ id, name, left_milli, unit }) => (
          <li key={id} className="break-inside-avoid border-b border-line">
            <a href={`/admin/products/${id}`} className="flex min-h-11 items-center justify-between gap-4 py-1 hover:underline">
              <span className="min-w-0 truncate">{name}</span>
              <span className={`tabular-nums shrink-0 font-semibold ${left_milli === 0 ? 'text-terracotta' : ''}`}>
                {formatQuantity(left_milli, unit, lang)}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
