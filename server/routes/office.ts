import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { cattleApi } from '#features/cattle/api.server.ts'
import { staffApi } from '#features/auth/staff/api.server.ts'
import { ratesApi } from '#features/cattle/rates/api.server.ts'
import { areasApi } from '#features/catalog/areas/api.server.ts'
import { categoriesApi } from '#features/catalog/categories/api.server.ts'
import { popupsApi } from '#features/catalog/popups/api.server.ts'
import { slotsApi } from '#features/catalog/slots/api.server.ts'
import { textsApi } from '#features/catalog/texts/api.server.ts'
import { uploadsApi } from '#features/catalog/uploads/api.server.ts'
import { bookingsApi } from '#features/kurbani/office-api.server.ts'
import { customersOfficeApi } from '#features/customers/office/api.server.ts'
import { messagingApi } from '#features/messaging/api.server.ts'
import { officeApi } from '#features/office/api.server.ts'
import { labelsApi } from '#features/office/labels/api.server.ts'
import { productsApi } from '#features/office/products/api.server.ts'
import { settingsApi } from '#features/office/settings/api.server.ts'
import { returnedAnimalsApi } from '#features/orders/office/returned-animals-api.server.ts'
import { deliveryApi } from '#features/orders/office/delivery-api.server.ts'
import { officeOrdersApi } from '#features/orders/office/api.server.ts'
import { gatewayMoneyApi } from '#features/orders/office/gateway-money-api.server.ts'
import { orderSmsApi } from '#features/orders/sms-api.server.ts'
import { posApi } from '#features/pos/api.server.ts'
import { posSupervisorsApi } from '#features/pos/supervisors-api.server.ts'
import { officeCouponsApi } from '#features/pricing/coupons/office-api.server.ts'
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
