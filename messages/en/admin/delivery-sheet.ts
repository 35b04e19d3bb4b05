import { plural } from '#lib/format/plural.ts'

export const deliverySheet = {
  'delivery-sheet.title': 'Delivery sheet',
  'delivery-sheet.sums': (p: { count: string; due: string }) => `${plural(p.count, 'order')} · ${p.due} to collect`,
  'delivery-sheet.load': 'To load',
  'delivery-sheet.collection': 'Collected at the farm',
  'delivery-sheet.no-area': 'No area',
  'delivery-sheet.order': 'Order',
  'delivery-sheet.customer': 'Customer',
  'delivery-sheet.items': 'Items',
  'delivery-sheet.due': 'To collect',
  'delivery-sheet.paid': 'Paid',
  'delivery-sheet.of-due': (p: { amount: string }) => `of ${p.amount} due`,
  'delivery-sheet.first': 'First of two deliveries',
  'delivery-sheet.last': 'Second of two deliveries',
  'delivery-sheet.empty': 'No deliveries on this day.',
  'delivery-sheet.cut': (p: { count: string }) =>
    `The sheet ends after ${plural(p.count, 'order')}. Choose an area in the list of orders for the others.`,
}
