import type { AdminRoute } from './admin-route.server.ts'
import { advancesRoutes } from './advances/routes.server.ts'
import { areaRequestsRoutes } from './area-requests/routes.server.ts'
import { reviewsRoutes } from './reviews/routes.server.ts'
import { areasRoutes } from './areas/routes.server.ts'
import { auditRoutes } from './audit/routes.server.ts'
import { backupsRoutes } from './backups/routes.server.ts'
import { bookingsRoutes } from './bookings/routes.server.ts'
import { categoriesRoutes } from './categories/routes.server.ts'
import { statementRoutes } from './customers/statement-routes.server.ts'
import { campaignsRoutes } from './campaigns/routes.server.ts'
import { customersRoutes } from './customers/routes.server.ts'
import { couponsRoutes } from './coupons/routes.server.ts'
import { dashboardRoutes } from './dashboard/routes.server.ts'
import { heldAnimalsRoutes } from './held-animals/routes.server.ts'
import { leaderboardRoutes } from './leaderboard/routes.server.ts'
import { ordersRoutes } from './orders/routes.server.ts'
import { labelsRoutes } from './labels/routes.server.ts'
import { paymentsRoutes } from './payments/routes.server.ts'
import { reconciliationRoutes } from './payments/reconciliation-routes.server.ts'
import { policiesRoutes } from './policies/routes.server.ts'
import { popupsRoutes } from './popups/routes.server.ts'
import { printRoutes } from './print/routes.server.ts'
import { ratesRoutes } from './rates/routes.server.ts'
import { posRoutes } from '../pos/routes.server.ts'
import { reportsRoutes } from './reports/routes.server.ts'
import { productsRoutes } from './products/routes.server.ts'
import { settingsRoutes } from './settings/routes.server.ts'
import { setupRoutes } from './setup/routes.server.ts'
import { stockTakesRoutes } from './stock-takes/routes.server.ts'
import { slotsRoutes } from './slots/routes.server.ts'
import { smsRoutes } from './sms/routes.server.ts'
import { staffRoutes } from './staff/routes.server.ts'
import { accountRoutes } from '../pos/account-routes.server.ts'
import { shiftRoutes } from '../pos/shift-routes.server.ts'
import { weighInsRoutes } from './weigh-ins/routes.server.ts'

/** Every page of the admin by its URL; each area has its file. */
export const adminRoutes: AdminRoute[] = [
  ...dashboardRoutes,
  ...areasRoutes,
  ...auditRoutes,
  ...backupsRoutes,
  ...bookingsRoutes,
  ...areaRequestsRoutes,
  ...reviewsRoutes,
  ...categoriesRoutes,
  ...customersRoutes,
  ...campaignsRoutes,
  ...statementRoutes,
  ...couponsRoutes,
  ...leaderboardRoutes,
  ...staffRoutes,
  ...ordersRoutes,
  ...advancesRoutes,
  ...paymentsRoutes,
  ...reconciliationRoutes,
  ...heldAnimalsRoutes,
  ...labelsRoutes,
  ...printRoutes,
  ...posRoutes,
  ...accountRoutes,
  ...shiftRoutes,
  ...weighInsRoutes,
  ...slotsRoutes,
  ...popupsRoutes,
  ...policiesRoutes,
  ...smsRoutes,
  ...ratesRoutes,
  ...reportsRoutes,
  ...productsRoutes,
  ...stockTakesRoutes,
  ...settingsRoutes,
  ...setupRoutes,
]
