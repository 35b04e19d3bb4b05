import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { cattleApi } from '#features/cattle/admin-api.server.ts'
import { staffApi } from '#features/auth/staff/admin-api.server.ts'
import { ratesApi } from '#features/cattle/rates/admin-api.server.ts'
import { areasApi } from '#features/catalog/areas/admin-api.server.ts'
import { categoriesApi } from '#features/catalog/categories/admin-api.server.ts'
import { backupsApi } from '#features/backup/admin-api.server.ts'
import { popupsApi } from '#features/catalog/popups/admin-api.server.ts'
import { slotsApi } from '#features/catalog/slots/admin-api.server.ts'
import { policiesApi } from '#features/catalog/policies/admin-api.server.ts'
import { uploadsApi } from '#features/catalog/media/admin-api.server.ts'
import { areaRequestsAdminApi } from '#features/area-requests/admin-api.server.ts'
import { bookingsApi } from '#features/kurbani/admin-api.server.ts'
import { pushApi } from '#features/news/push/admin-api.server.ts'
import { newsApi } from '#features/news/admin-api.server.ts'
import { campaignsApi } from '#features/campaigns/admin-api.server.ts'
import { customersAdminApi } from '#features/customers/admin-api.server.ts'
import { messagingApi } from '#features/messaging/admin-api.server.ts'
import { adminSearchApi } from '#features/admin-search/api.server.ts'
import { labelsApi } from '#features/catalog/labels/admin-api.server.ts'
import { productsApi } from '#features/catalog/products/admin-api.server.ts'
import { settingsApi } from '#features/settings/admin-api.server.ts'
import { returnedAnimalsApi } from '#features/orders/status/returned-animals-api.server.ts'
import { bulkOrdersApi } from '#features/bulk-orders/admin-api.server.ts'
import { deliveryApi } from '#features/delivery/admin-api.server.ts'
import { orderDraftsApi } from '#features/orders/drafts/admin-api.server.ts'
import { orderTagsApi } from '#features/orders/tags/admin-api.server.ts'
import { ordersAdminApi } from '#features/orders/editing/admin-api.server.ts'
import { ledgerAdminApi } from '#features/orders/payments/admin-api.server.ts'
import { returnsAdminApi } from '#features/orders/returns/admin-api.server.ts'
import { gatewayMoneyApi } from '#features/orders/payments/gateway-payments-api.server.ts'
import { reviewsAdminApi } from '#features/reviews/admin-api.server.ts'
import { orderSmsApi } from '#features/orders/messages/sms-api.server.ts'
import { reconciliationApi } from '#features/reconciliation/admin-api.server.ts'
import { posApi } from '#features/pos/api.server.ts'
import { posSupervisorsApi } from '#features/pos/supervisors-api.server.ts'
import { couponsAdminApi } from '#features/pricing/coupons/admin-api.server.ts'
import { startBackup } from '../backup/start-backup.ts'
import { stockTakesApi } from '#features/stock-takes/admin-api.server.ts'
import { setupApi } from '#features/setup/admin-api.server.ts'
import type { Deps } from '../deps.ts'

/** The routes of the admin by area; each names its permission. */
export function adminApis(deps: Deps): FastifyPluginAsyncZod[] {
  const catalogChanged = () => deps.catalogRevision.advance()
  const { publicUrl } = deps.env
  return [
    adminSearchApi(deps),
    newsApi(deps),
    pushApi(deps),
    areasApi(deps),
    customersAdminApi(deps),
    staffApi(deps),
    categoriesApi(deps),
    productsApi(deps),
    labelsApi(deps),
    stockTakesApi(deps),
    slotsApi(deps),
    popupsApi(deps),
    policiesApi(deps),
    couponsAdminApi(deps),
    ratesApi(deps),
    uploadsApi(deps),
    settingsApi(deps),
    setupApi(deps),
    deliveryApi(deps),
    bulkOrdersApi(deps),
    campaignsApi(deps),
    returnedAnimalsApi({ ...deps, catalogChanged }),
    ordersAdminApi({ ...deps, catalogChanged }),
    orderDraftsApi(deps),
    orderTagsApi(deps),
    ledgerAdminApi({ ...deps, catalogChanged }),
    returnsAdminApi({ ...deps, catalogChanged }),
    reconciliationApi(deps),
    gatewayMoneyApi({ ...deps, catalogChanged }),
    posApi({ ...deps, catalogChanged }),
    posSupervisorsApi(deps),
    cattleApi({ ...deps, publicUrl, catalogChanged }),
    messagingApi(deps),
    backupsApi({ ...deps, startBackup: (actorId) => startBackup(deps, 'admin', actorId) }),
    bookingsApi(deps),
    areaRequestsAdminApi(deps),
    reviewsAdminApi(deps),
    orderSmsApi(deps),
  ]
}
