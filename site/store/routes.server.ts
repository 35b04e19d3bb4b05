import type { PageRoute } from '../page-route.server.ts'
import { aboutPages } from './about/about-routes.server.ts'
import { accountPages } from './account/account-routes.server.ts'
import { identityPages } from './account/auth-routes.server.ts'
import { catalogPages } from './listing/catalog-routes.server.ts'
import { checkoutPages } from './checkout/checkout-routes.server.ts'
import { publicCardPages } from './order/public-routes.server.ts'
import { stopPages } from './stop/stop-routes.server.ts'

/** Every page of the storefront, by its address. */
export const storeRoutes: PageRoute[] = [
  ...catalogPages,
  ...aboutPages,
  ...checkoutPages,
  ...identityPages,
  ...accountPages,
  ...publicCardPages,
  ...stopPages,
]
