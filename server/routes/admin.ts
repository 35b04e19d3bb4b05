import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { cattleApi } from '#features/cattle/admin-api.server.ts'
import { staffApi } from '#features/auth/staff/admin-api.server.ts'
import { ratesApi } from '#features/cattle/rates/admin-api.server.ts'
import { areasApi } from '#features/catalog/areas/admin-api.server.ts'
import { categoriesApi } from '#features/catalog/categories/admin-api.server.ts'
import { popupsApi } from '#features/catalog/popups/admin-api.server.ts'
import { slotsApi } from '#features/catalog/slots/admin-api.server.ts'
import { textsApi } from '#features/catalog/policies/admin-api.server.ts'
import { uploadsApi } from '#features/catalog/media/admin-api.server.ts'
import { bookingsApi } from '#features/kurbani/admin-api.server.ts'
import { customersOfficeApi } from '#features/customers/admin-api.server.ts'
import { messagingApi } from '#features/messaging/admin-api.server.ts'
import { officeApi } from '#features/admin-search/api.server.ts'
import { labelsApi } from '#features/catalog/labels/admin-api.server.ts'
import { productsApi } from '#features/catalog/products/admin-api.server.ts'
import { settingsApi } from '#features/settings/admin-api.server.ts'
import { returnedAnimalsApi } from '#features/orders/status/returned-animals-api.server.ts'
import { deliveryApi } from '#features/delivery/admin-api.server.ts'
import { officeOrdersApi } from '#features/orders/editing/admin-api.server.ts'
import { gatewayMoneyApi } from '#features/orders/payments/gateway-payments-api.server.ts'
import { orderSmsApi } from '#features/orders/messages/sms-api.server.ts'
import { posApi } from '#features/pos/api.server.ts'
import { posSupervisorsApi } from '#features/pos/supervisors-api.server.ts'
import { officeCouponsApi } from '#features/pricing/coupons/admin-api.server.ts'
import type { Deps } from '../deps.ts'

/** The calls of the back office, an area each; every address in them names its right. */
export function officeApis(deps: Deps): FastifyPluginAsyncZod[] {
  const catalogueChanged = () => deps.kept.bump()
  const { publicUrl, dataDir } = deps.env
  return [
    officeApi(deps),
    areasApi(deps),
    customersOfficeApi(deps),
    staffApi(deps),
    categoriesApi(deps),
    productsApi(deps),
    labelsApi(deps),
    slotsApi(deps),
    popupsApi(deps),
    textsApi(deps),
    officeCouponsApi(deps),
    ratesApi(deps),
    uploadsApi({ ...deps, dataDir }),
    settingsApi(deps),
    deliveryApi(deps),
    returnedAnimalsApi({ ...deps, catalogueChanged }),
    officeOrdersApi({ ...deps, catalogueChanged }),
    gatewayMoneyApi({ ...deps, catalogueChanged }),
    posApi({ ...deps, catalogueChanged }),
    posSupervisorsApi(deps),
    cattleApi({ ...deps, publicUrl, catalogueChanged }),
    messagingApi(deps),
    bookingsApi(deps),
    orderSmsApi(deps),
  ]
}
