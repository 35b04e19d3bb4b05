import { isLate } from '#features/backup/queries.server.ts'
import { findSmsBudget } from '#features/messaging/queries.server.ts'
import { readPeriod } from '#features/reports/period-rules.ts'
import { salesByDay } from '#features/reports/sales.server.ts'
import { listDeliveryLoad, listLowStock, listTasks, MAX_COUNTED, tasksFor } from '#features/reports/dashboard-tasks.server.ts'
import { countNotYetReminded } from '#features/delivery/delivery-reminders.server.ts'
import { dhakaDate } from '#lib/format/time.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

const DAYS_SHOWN = 14

export const dashboardRoutes: AdminRoute[] = [
  {
    url: '/admin',
    page: 'admin/dashboard/dashboard',
    permission: 'admin.enter',
    async load({ db, shopCache, lang, now, staff, together }) {
      const { low_stock, delivery_sms, sms_daily_limit } = await shopCache.settings()
      const lately = readPeriod({}, dhakaDate(now))
      const [tasks, low, sales, untold, load, budget, isBackupLate] = await Promise.all([
        together('tasks', () => listTasks(db, now)),
        staff.can('catalog.read') ? together(`low ${lang}`, () => listLowStock(db, low_stock, lang)) : [],
        staff.can('reports.read') ? together('sales', () => salesByDay(db, lately)) : null,
        staff.can('sms.send') ? together('untold', () => countNotYetReminded(db, now, MAX_COUNTED + 1)) : 0,
        staff.can('orders.read') ? together('load', () => listDeliveryLoad(db, now)) : [],
        staff.can('sms.read') ? together('sms budget', () => findSmsBudget(db, sms_daily_limit)) : null,
        staff.can('backups.read') ? together('late backup', () => isLate(db, now)) : false,
      ])
      const props = {
        today: dhakaDate(now),
        tasks: tasksFor(tasks, staff.can),
        low,
        sales: sales?.slice(-DAYS_SHOWN) ?? null,
        untold,
        delivery_sms,
        smsLimitReached: budget && budget.sent >= budget.limit ? budget.limit : null,
        load,
        isBackupLate,
      }
      return { props, head: adminHead(lang, { key: 'admin.nav.dashboard' }) }
    },
  },
]
