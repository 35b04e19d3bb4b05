import type { PageRoute } from '../page-route.server.ts'

/** From the cart to the invoice, and signing in. */
export const checkoutPages: PageRoute[] = []
