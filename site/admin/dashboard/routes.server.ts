import { isLate } from '#features/backup/queries.server.ts'
import { findSmsBudget } from '#features/messaging/queries.server.ts'
import { readPeriod } from '#features/reports/period-rules.ts'
import { salesByDay } from '#features/reports/sales.server.ts'
import { listDeliveryLoad, listLowStock, listTasks, tasksFor, isShopUnused } from '#features/reports/dashboard-tasks.server.ts'
import { MAX_TASK_COUNT } from '#features/reports/limits.ts'
import { countNotYetReminded } from '#features/delivery/delivery-reminders.server.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { readShopSnapshot } from '#features/setup/queries.server.ts'
import { setupSteps } from '#features/setup/setup-rules.ts'
import { shopContext } from '../setup/routes.server.ts'
import type { AdminContext, AdminRoute } from '../admin-route.server.ts'
import type { Props as DashboardProps } from './dashboard.page.tsx'
import { adminHead } from '../admin-head.server.ts'

const DAYS_SHOWN = 14

/** What a shop without orders shows in place of zeros: the open steps of the set-up, which only owners may do. Null with orders. */
async function findStart(context: AdminContext): Promise<DashboardProps['start']> {
  const { db, staff, shared } = context
  if (!(await shared('unused', () => isShopUnused(db)))) return null
  if (!staff.can('settings.read')) return { steps: [], canOrder: staff.can('orders.write') }
  const steps = setupSteps(await readShopSnapshot(db, await shopContext(context)))
  return { steps: steps.filter(({ state }) => state === 'missing').map(({ key }) => key), canOrder: true }
}

export const dashboardRoutes: AdminRoute[] = [
  {
    url: '/admin',
    page: 'admin/dashboard/dashboard',
    permission: 'admin.enter',
    async load(context) {
      const { db, shopCache, lang, now, staff, shared } = context
      const { low_stock, delivery_sms, sms_daily_limit, kurbani } = await shopCache.settings()
      const recent = readPeriod({}, dhakaDate(now))
      const [tasks, low, sales, notReminded, load, budget, isBackupLate] = await Promise.all([
        shared('tasks', () => listTasks(db, now, kurbani.deliveryTo)),
        staff.can('catalog.read') ? shared(`low ${lang}`, () => listLowStock(db, low_stock, lang)) : [],
        staff.can('reports.read') ? shared('sales', () => salesByDay(db, recent)) : null,
        staff.can('sms.send') ? shared('notReminded', () => countNotYetReminded(db, now, MAX_TASK_COUNT + 1)) : 0,
        staff.can('orders.read') ? shared('load', () => listDeliveryLoad(db, now)) : [],
        staff.can('sms.read') ? shared('sms budget', () => findSmsBudget(db, sms_daily_limit)) : null,
        staff.can('backups.read') ? shared('late backup', () => isLate(db, now)) : false,
      ])
      const props = {
        today: dhakaDate(now),
        tasks: tasksFor(tasks, staff.can),
        low,
        sales: sales?.slice(-DAYS_SHOWN) ?? null,
        notReminded,
        delivery_sms,
        smsLimitReached: budget && budget.sent >= budget.limit ? budget.limit : null,
        load,
        isBackupLate,
        start: await findStart(context),
      }
      return { props, head: adminHead(lang, { key: 'admin.nav.dashboard' }) }
    },
  },
]
