import type { Permission } from '#features/auth/permissions.ts'
import type { PageName } from './pages.ts'

// Every URL of a page, for reading: the component that draws it, and the permission it needs. `urls.server.test.ts` compares this list with the
// registered routes. The URLs of the JSON API are described at /api/docs.

interface AdminUrl {
  page: PageName
  permission: Permission | readonly Permission[]
}

/** Pages of the storefront, and the component of each below site/. Everyone may open them. */
export const STORE_URLS: Record<string, PageName> = {
  '/': 'store/home/home',
  '/beef': 'store/listing/beef',
  '/fruits': 'store/listing/fruits',
  '/kurbani': 'store/kurbani/kurbani',
  '/search': 'store/listing/search',
  '/product/:id': 'store/product/product',
  '/terms-condition': 'store/policy/policy',
  '/privacy-policy': 'store/policy/policy',
  '/return-refund': 'store/policy/policy',
  '/shipping-info': 'store/policy/policy',
  '/cart': 'store/checkout/checkout',
  '/invoice/:id': 'store/order/invoice',
  '/order/confirmed/:id': 'store/order/confirmed',
  '/order/place/:id': 'store/product/order-form',
  '/login': 'store/account/login',
  '/register': 'store/account/register',
  '/forgot-password': 'store/account/forgot-password',
  '/code': 'store/account/code',
  '/account/security': 'store/account/security',
  '/account/security/name': 'store/account/change',
  '/account/security/password': 'store/account/change',
  '/account/security/phone': 'store/account/change',
  '/account/security/email': 'store/account/change',
  '/account/security/second-factor': 'store/account/second-factor',
  '/account/confirm': 'store/account/confirm',
  '/account': 'store/account/orders',
  '/account/addresses': 'store/account/addresses',
  '/account/profile': 'store/account/profile',
  '/track': 'store/order/track-form',
  '/track/:code': 'store/order/track',
  '/animal/:id': 'store/product/animal',
}

/** Pages that only a demo shop has. */
export const DEMO_URLS: Record<string, PageName> = {
  '/demo/sms': 'store/demo/demo-sms',
}

/** Pages of the admin, with the permission they need; one of several is enough. */
export const ADMIN_URLS: Record<string, AdminUrl> = {
  '/admin': { page: 'admin/dashboard/dashboard', permission: 'admin.enter' },
  '/admin/areas': { page: 'admin/areas/areas', permission: 'catalog.read' },
  '/admin/areas/create': { page: 'admin/areas/area', permission: 'catalog.write' },
  '/admin/areas/:id': { page: 'admin/areas/area', permission: 'catalog.read' },
  '/admin/audit': { page: 'admin/audit/audit', permission: 'audit.read' },
  '/admin/backups': { page: 'admin/backups/backups', permission: 'backups.read' },
  '/admin/bookings': { page: 'admin/bookings/bookings', permission: 'bookings.read' },
  '/admin/bookings/export': { page: 'admin/bookings/bookings', permission: 'bookings.read' },
  '/admin/categories': { page: 'admin/categories/categories', permission: 'catalog.read' },
  '/admin/category/create': { page: 'admin/categories/category', permission: 'catalog.write' },
  '/admin/category/:id/edit': { page: 'admin/categories/category', permission: 'catalog.read' },
  '/admin/customers': { page: 'admin/customers/customers', permission: 'customers.read' },
  '/admin/customers/:id': { page: 'admin/customers/customer', permission: 'customers.read' },
  '/admin/customers/:id/edit': { page: 'admin/customers/customer-edit', permission: 'customers.write' },
  '/admin/customers/:id/statement': { page: 'admin/customers/statement', permission: 'customers.read' },
  '/admin/customers/:id/statement/print': { page: 'admin/print/statement', permission: 'customers.read' },
  '/admin/customers/:id/merge': { page: 'admin/customers/customer-merge', permission: 'customers.write' },
  '/admin/coupons': { page: 'admin/coupons/coupons', permission: 'catalog.read' },
  '/admin/coupons/create': { page: 'admin/coupons/coupon', permission: 'catalog.write' },
  '/admin/coupons/:id': { page: 'admin/coupons/coupon', permission: 'catalog.read' },
  '/admin/leaderboard': { page: 'admin/leaderboard/leaderboard', permission: 'leaderboard.read' },
  '/admin/staff': { page: 'admin/staff/staff', permission: 'staff.read' },
  '/admin/orders': { page: 'admin/orders/orders', permission: 'orders.read' },
  '/admin/orders/create': { page: 'admin/orders/order-create', permission: 'orders.write' },
  '/admin/orders/update/:id': { page: 'admin/orders/order-edit', permission: 'orders.read' },
  '/admin/advances': { page: 'admin/advances/advances', permission: 'orders.read' },
  '/admin/payments': { page: 'admin/payments/payments', permission: 'orders.read' },
  '/admin/held-animals': { page: 'admin/held-animals/held-animals', permission: 'orders.read' },
  '/admin/labels': { page: 'admin/labels/labels', permission: 'catalog.read' },
  '/admin/orders/invoice/:id': { page: 'admin/print/invoice', permission: 'orders.read' },
  '/admin/orders/single_invoice/:id': { page: 'admin/print/invoice', permission: 'orders.read' },
  '/admin/orders/invoices': { page: 'admin/print/invoice', permission: 'orders.read' },
  '/admin/quick-orders/pos-invoice/:id': { page: 'admin/print/receipt', permission: ['orders.read', 'pos.read'] },
  '/admin/quick-orders/day-paper': { page: 'admin/print/day', permission: 'pos.read' },
  '/admin/quick-orders/shift-report/:id': { page: 'admin/print/shift', permission: 'pos.read' },
  '/admin/quick-orders/account-slip/:id': { page: 'admin/print/account-receipt', permission: ['pos.read', 'orders.read'] },
  '/admin/quick-orders/return-slip/:id': { page: 'admin/print/return-receipt', permission: 'pos.read' },
  '/admin/weigh-ins': { page: 'admin/weigh-ins/weigh-ins', permission: 'weighins.read' },
  '/admin/slots': { page: 'admin/slots/slots', permission: 'catalog.read' },
  '/admin/slots/create': { page: 'admin/slots/slot', permission: 'catalog.write' },
  '/admin/slots/:id': { page: 'admin/slots/slot', permission: 'catalog.read' },
  '/admin/popups': { page: 'admin/popups/popups', permission: 'catalog.read' },
  '/admin/popups/create': { page: 'admin/popups/popup', permission: 'catalog.write' },
  '/admin/popups/:id': { page: 'admin/popups/popup', permission: 'catalog.read' },
  '/admin/texts': { page: 'admin/policies/policies', permission: 'catalog.read' },
  '/admin/texts/:slug': { page: 'admin/policies/policy', permission: 'catalog.read' },
  '/admin/sms': { page: 'admin/sms/sms', permission: 'sms.read' },
  '/admin/rates': { page: 'admin/rates/rates', permission: 'catalog.read' },
  '/admin/rates/edit': { page: 'admin/rates/rate', permission: 'catalog.write' },
  '/admin/reports': { page: 'admin/reports/reports', permission: 'reports.read' },
  '/admin/products': { page: 'admin/products/products', permission: 'catalog.read' },
  '/admin/products/create': { page: 'admin/products/product-create', permission: 'catalog.write' },
  '/admin/products/import': { page: 'admin/products/product-import', permission: 'catalog.write' },
  '/admin/products/export': { page: 'admin/products/products', permission: 'catalog.read' },
  '/admin/products/:id': { page: 'admin/products/product', permission: 'catalog.read' },
  '/admin/health': { page: 'admin/setup/health', permission: 'settings.read' },
  '/admin/setup': { page: 'admin/setup/setup', permission: 'settings.read' },
  '/admin/setup/test-receipt': { page: 'admin/setup/test-receipt', permission: 'settings.read' },
  '/admin/settings': { page: 'admin/settings/settings', permission: 'settings.read' },
}

/** Pages of the POS. */
export const POS_URLS: Record<string, AdminUrl> = {
  '/admin/quick-orders': { page: 'pos/pos', permission: 'pos.read' },
  '/admin/quick-orders/display': { page: 'pos/customer-display', permission: 'pos.sell' },
  '/admin/quick-orders/close': { page: 'pos/close-shift', permission: 'pos.sell' },
  '/admin/quick-orders/shifts': { page: 'pos/shifts', permission: 'pos.read' },
  '/admin/quick-orders/registers': { page: 'pos/registers', permission: 'pos.approve' },
  '/admin/quick-orders/registers/:id': { page: 'pos/register', permission: 'pos.approve' },
  '/admin/quick-orders/sales': { page: 'pos/sales', permission: 'pos.sell' },
  '/admin/quick-orders/return': { page: 'pos/return', permission: 'pos.sell' },
  '/admin/quick-orders/return-without-receipt': { page: 'pos/return-without-receipt', permission: 'pos.sell' },
  '/admin/quick-orders/account': { page: 'pos/account', permission: 'pos.sell' },
  '/admin/quick-orders/favourites': { page: 'pos/edit-favourites', permission: 'catalog.write' },
  '/admin/quick-orders/code': { page: 'pos/approval-code', permission: 'pos.approve' },
}
