import type { AdminOrder } from '#features/orders/history/order-details.server.ts'

export const LINE = { product_id: 7, product_name: 'Himsagar', tag_number: null, unit: 'kg', is_unique: false, left: 90, quantity: 2 }
/** An order with one line, as far as the edit form reads it. */
export const ORDER = {
  id: 15,
  version: 1,
  name: 'Karim',
  phone: '01711000009',
  email: '',
  address: 'House 1',
  landmark: '',
  note: '',
  remarks: '',
  status: 'placed',
  reason: null,
  list_on: '2026-06-01',
  is_collection: false,
  area_id: 1,
  shipping_cost: 60,
  discount: 0,
  paid: 0,
  max_shipping: null,
  first_delivery_on: null,
  advances: [],
  reviews: [],
  lines: [{ ...LINE, base_price: 120, price_on_order: 120, delivery_group: 'produce', delivery_charge: 60 }],
} as unknown as AdminOrder
