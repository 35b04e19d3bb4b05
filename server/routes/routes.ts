import type { FastifyInstance } from 'fastify'
import { AuthResponder } from '#features/auth/http/auth-responder.ts'
import { codeRoutes } from '#features/auth/http/code-routes.ts'
import { lockRoutes } from '#features/auth/http/lock-routes.ts'
import { switchRoutes } from '#features/auth/http/switch-routes.ts'
import { secondFactorRoutes } from '#features/auth/http/second-factor-routes.ts'
import { securityRoutes } from '#features/auth/http/security-routes.ts'
import { signInRoutes } from '#features/auth/http/sign-in-routes.ts'
import { catalogApi } from '#features/catalog/api.server.ts'
import { addressApi } from '#features/customers/address-api.server.ts'
import { feedsApi } from '#features/feeds/api.server.ts'
import { analyticsApi } from '#features/analytics/api.server.ts'
import { areaRequestsApi } from '#features/area-requests/api.server.ts'
import { productWaitsApi } from '#features/product-waits/api.server.ts'
import { kurbaniApi } from '#features/kurbani/api.server.ts'
import { demoSmsApi } from '#features/messaging/demo-api.server.ts'
import { confirmPhoneRoutes } from '#features/orders/advances/confirm-phone-routes.ts'
import { extendVerifiedOrder, type VerifiedOrder } from '#features/orders/advances/confirm-phone.server.ts'
import { ordersApi } from '#features/orders/checkout/api.server.ts'
import { changePaymentApi } from '#features/orders/checkout/change-payment-api.server.ts'
import { ownOrdersApi } from '#features/orders/history/own-orders-api.server.ts'
import { canSeeOrder, setOrderAccessCookie } from '#features/orders/order-access.server.ts'
import { paymentsApi } from '#features/payments/api.server.ts'
import { reviewsApi } from '#features/reviews/api.server.ts'
import { searchApi } from '#features/search/api.server.ts'
import { couponsApi } from '#features/pricing/api.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { adminRoutes } from '#site/admin/routes.server.ts'
import { demoPages } from '#site/store/demo/demo-routes.server.ts'
import { storeRoutes } from '#site/store/routes.server.ts'
import type { Deps } from '../deps.ts'
import type { PageSource } from '../page/assets.ts'
import type { PageRenderer } from '../page/page-renderer.ts'
import { adminWorkerRoute } from './admin-worker.ts'
import { adminApis } from './admin-apis.ts'
import { formPages } from './form-pages.ts'
import { legacyOrderRoutes } from './legacy-order.ts'
import { posWorkerRoute } from './pos-worker.ts'
import { preferenceRoutes } from './preferences.ts'
import { searchEngineFiles } from './search-engines.ts'
import { derivedPictures } from './derived-pictures.ts'
import { webManifest } from './manifest.ts'
import { offlineRoutes } from './offline.ts'
import { stopRoutes } from './stop.ts'
import { trackRoutes } from './track.ts'

/** Registers every page and API of the storefront and the admin. */
export async function registerRoutes(app: FastifyInstance, deps: Deps, pages: PageRenderer, source: PageSource): Promise<void> {
  const withCatalog = { ...deps, catalogChanged: () => deps.catalogRevision.advance() }
  const readSettings = () => deps.shopCache.settings()
  await app.register(catalogApi(deps))
  await app.register(searchApi(deps))
  await app.register(preferenceRoutes(deps))
  await registerAuth(app, deps, pages)
  await app.register(ordersApi({ ...withCatalog, setOrderAccessCookie: setOrderAccessCookie(deps) }))
  await app.register(ownOrdersApi(withCatalog))
  await app.register(changePaymentApi(withCatalog))
  await app.register(paymentsApi(deps, { canSeeOrder: canSeeOrder({ readSettings }) }))
  await app.register(kurbaniApi(deps))
  await app.register(areaRequestsApi(deps))
  await app.register(productWaitsApi(deps))
  await app.register(analyticsApi(deps))
  await app.register(reviewsApi(deps))
  await app.register(addressApi(deps))
  await app.register(couponsApi(deps))
  await app.register(trackRoutes(deps, pages))
  await app.register(stopRoutes(deps))
  legacyOrderRoutes(app, deps, pages)
  await app.register(formPages)
  await app.register(searchEngineFiles(deps))
  await app.register(derivedPictures(deps))
  await app.register(webManifest(deps))
  await app.register(offlineRoutes(deps))
  await app.register(feedsApi({ ...deps, revision: () => deps.catalogRevision.ifSubscribed }))
  for (const route of storeRoutes) pages.add(app, route)
  if (deps.env.demo === 'on') {
    await app.register(demoSmsApi(deps))
    for (const route of demoPages) pages.add(app, route)
  }
  for (const api of adminApis(deps)) await app.register(api)
  posWorkerRoute(app, source)
  adminWorkerRoute(app)
  for (const route of adminRoutes) pages.addAdmin(app, route)
}

async function registerAuth(app: FastifyInstance, deps: Deps, pages: PageRenderer): Promise<void> {
  const readSettings = () => deps.shopCache.settings()
  async function orderExtension() {
    const { expiry } = await readSettings()
    return (tx: Db, order: VerifiedOrder, now: Date) => extendVerifiedOrder(tx, order, now, expiry)
  }
  const responder = new AuthResponder({ ...deps, readSettings, orderExtension }, pages)
  for (const routes of [signInRoutes, codeRoutes, lockRoutes, switchRoutes, securityRoutes, secondFactorRoutes, confirmPhoneRoutes])
    await app.register(routes(responder))
}
