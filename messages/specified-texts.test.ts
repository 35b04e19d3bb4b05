import { expect, test } from 'vitest'
import { adminBn } from './bn-admin.ts'
import { bn } from './bn.ts'
import { accountEn } from './en-account.ts'
import { adminEn } from './en-admin.ts'
import { en } from './en.ts'

// English texts of buttons, dialogs and toasts are the specification's, exactly [C10]. The texts here are copied from it.

const texts: Record<string, unknown> = { ...en, ...accountEn, ...adminEn }

const SPECIFIED: Record<string, Record<string, string>> = {
  'home and lists': {
    'catalog.order-now': 'Order Now',
    'catalog.best-price': 'Best Price',
    'catalog.sort.asc': 'Price: Low to High',
    'catalog.sort.desc': 'Price: High to Low',
    'catalog.none': 'No products found',
    'catalog.prev': 'Prev',
    'catalog.next': 'Next',
    'catalog.add-to-cart': 'Add to cart',
    'catalog.details': 'Details',
    'catalog.soon': 'Ordering will start soon',
    'catalog.out-of-stock': 'Out of Stock',
    'catalog.ribbon.sold-out': 'sold out',
    'catalog.ribbon.pre-order': 'Pre-order',
    'catalog.badge.on-hold': 'On Hold',
    'catalog.badge.sold-out': 'Sold Out',
    'catalog.wait': 'Wait For Availability',
    'catalog.loading': 'Loading...',
    'kurbani.checking': 'Checking available products...',
  },
  cart: {
    'catalog.added': 'Item Added successfully!',
    'catalog.duplicate-title': 'The Product Already in Cart',
    'catalog.duplicate-text': 'You can increase Quantity in the Shopping Cart Page.',
    'catalog.go-to-cart': 'Go to Cart',
    'catalog.continue-shopping': 'Continue Shopping',
    'cart.step.cart': 'Cart',
    'cart.step.details': 'Details',
    'cart.step.preview': 'Preview',
    'cart.title': 'Shopping Cart',
    'summary.title': 'Order summary',
    'cart.proceed': 'Proceed to Customer Details',
    'cart.empty': 'Empty Cart',
    'coupon.applied': 'Coupon applied successfully!',
    'coupon.failed': 'An error occurred while applying the coupon',
    'coupon.login-title': 'Please log in or register',
    'coupon.login-text': 'You need to log in or register to apply a coupon.',
    'coupon.sign-in': 'You need to log in or register to apply a coupon.',
    'coupon.ok': 'OK',
  },
  checkout: {
    'checkout.details-title': 'Customer Details',
    'checkout.preview-title': 'Order Preview and Payment',
    'checkout.back-to-cart': 'Back to Cart',
    'checkout.back': 'Back',
    'checkout.proceed-to-preview': 'Proceed to Preview',
    'checkout.return-customer': 'Return Customer? Please Login',
    'details.name-required': 'Name is required',
    'details.email-required': 'Email is required',
    'details.phone-required': 'Phone is required',
    'details.address-required': 'Address is required',
    'details.area-required': 'Area is required',
    'payment.full': 'Full Payment',
    'payment.partial': 'Partial Payment',
    'partial.invalid': 'Please enter a valid number.',
    'partial.belowDelivery': 'Amount cannot be less than delivery charge (৳1,500).',
    'partial.aboveTotal': 'Amount cannot be more than total amount (৳1,500).',
    'place.order': 'Place Order',
    'place.failed': 'Order Failed',
    'place.product-gone': 'Product not available',
    'place.no-response': 'No response from server. Please check your connection.',
    'place.unexpected': 'An unexpected error occurred.',
    'place.success': 'Order Placed Successfully!',
    'place.ok': 'OK',
    'legacy.gateway': 'Secure Payment - Cards & MFS',
  },
  'pre-booking': {
    'prebook.check': 'Please check the form for errors',
    'prebook.failed': 'Something went wrong!',
    'prebook.no-answer': 'Failed to submit booking. Please try again.',
    'prebook.done': 'Your booking has been submitted successfully!',
  },
  addresses: {
    'address.add': 'Add',
    'address.edit': 'Edit',
    'address.updated': 'Address updated successfully!',
    'address.chosen': 'Address saved successfully!',
    'address.deleted': 'Address deleted successfully!',
    'address.added': 'Address added successfully!',
    'address.oops': 'Oops...',
    'address.error': 'Error',
    'address.not-json': 'Server returned invalid response format',
    'address.no-customer': 'Customer data is missing',
    'address.went-wrong': 'Something went wrong with the request',
  },
  'admin orders': {
    'admin-orders.add-line': 'Add Another Product',
    'admin-orders.remove-line': 'Remove',
    'admin-orders.print': 'Print',
    'admin-orders.print-single': 'Print Single Invoice',
    'admin-orders.print-pos': 'Pos Invoice',
    'admin-orders.send-sms': 'Send SMS',
    'admin-orders.created': 'Order created successfully!',
    'admin-orders.check-form': 'Please check the form for errors',
    'admin-orders.went-wrong': 'Something went wrong!',
    'admin-orders.create-failed': 'Failed to create order. Please try again.',
  },
  POS: {
    'pos.customer': 'Customer Information',
    'pos.payment': 'Payment Method',
    'pos.items': 'Items',
    'pos.total': 'Total',
    'pos.change': 'Change',
    'pos.place': 'Place Order',
    'pos.next': 'Next',
    'pos.out-of-stock-named': '৳1,500 is out of stock!',
    'pos.out-of-stock': 'Product is out of stock and cannot be added to your order.',
    'pos.barcode-not-found': 'Product with barcode not found',
    'pos.error': 'Error: ৳1,500',
    'pos.failed': 'Failed to place order. Please try again.',
    'pos.placed': 'Order placed successfully!',
  },
  leaderboard: {
    'leaderboard.id': 'User Id',
    'leaderboard.name': 'Name',
    'leaderboard.phone': 'Phone',
    'leaderboard.email': 'Email',
    'leaderboard.spent': 'Total Spent',
    'leaderboard.orders': 'Total Order',
    'leaderboard.last': 'Last Order',
    'leaderboard.taka': '৳1,500 tk',
    'leaderboard.never': 'N/A',
    'leaderboard.broken-day': 'Invalid Date',
  },
  categories: {
    'categories.id': 'Id',
    'categories.name': 'Name',
    'categories.description': 'Description',
    'categories.priority': 'Priority',
    'categories.action': 'Action',
    'categories.create': 'Create Category',
    'categories.loading': 'Loading',
    'categories.delete': 'Delete',
    'categories.delete-question': 'Are you sure you want to delete ৳1,500?',
    'categories.load-failed': 'Failed to load categories.',
    'categories.delete-failed': 'Failed to delete category.',
    'categories.deleted': 'Category deleted successfully',
    'moving.saved': 'Order updated successfully',
    'moving.failed': 'Failed to update order',
  },
  tracking: { 'tracking.title': 'Products Tracking' },
}

// A text with an argument gets one value for any of them.
const shown = (text: unknown): unknown =>
  typeof text === 'function' ? (text as (p: object) => unknown)({ amount: '৳1,500', name: '৳1,500', message: '৳1,500' }) : text

test.each(Object.entries(SPECIFIED))('texts of %s', (_part, specified) => {
  expect(Object.fromEntries(Object.keys(specified).map((key) => [key, shown(texts[key])]))).toEqual(specified)
})

test('the count of a list is "from - to of total products"', () => {
  expect(en['catalog.count']({ from: 21, to: 40, total: 73 })).toBe('21 - 40 of 73 products')
})

test('the thank-you dialog tells of the call the day before delivery', () => {
  expect(en['place.thanks-text']).toMatch(/confirmation call the day before delivery/)
})

test('texts that are specified in Bengali are Bengali in both languages, with an English subtitle of the form', () => {
  for (const language of [en, bn]) {
    expect(language['notice.cutoff']({ hour: 'রাত ৯টা' })).toMatch(/^[\u0980-\u09ff\s।]+$/)
    expect(language['prebook.title']).toMatch(/^[\u0980-\u09ff\s-]+$/)
    expect(language['prebook.submit']).toMatch(/^[\u0980-\u09ff\s-]+$/)
    expect(language['prebook.subtitle']).toMatch(/^[\w\s-]+$/)
  }
})

test('no specified English text is English in the Bengali interface, but for names and abbreviations', () => {
  const bengali: Record<string, unknown> = { ...bn, ...adminBn }
  const keys = Object.values(SPECIFIED).flatMap((part) => Object.keys(part))
  const untranslated = keys.filter((key) => key in bengali && !/[\u0980-\u09ff]/.test(String(shown(bengali[key]))))
  expect(untranslated).toEqual([])
})
