// What the shop says when a rule refuses something.
export const refusal = {
  'partial.invalid': 'Please enter a valid number.',
  'partial.belowDelivery': (p: { amount: string }) => `Amount cannot be less than delivery charge (${p.amount}).`,
  'partial.aboveTotal': (p: { amount: string }) => `Amount cannot be more than total amount (${p.amount}).`,
  'partial.belowAdvance': (p: { amount: string }) => `Amount cannot be less than the advance for these items (${p.amount}).`,
  'refusal.empty-cart': 'Empty Cart',
  'refusal.unknown-product': 'Product not available',
  'refusal.not-available': (p: { name: string }) => `${p.name} is not available now.`,
  'refusal.not-enough-stock': (p: { name: string }) => `There is not enough of ${p.name} left.`,
  'refusal.quantity-not-allowed': (p: { name: string }) => `${p.name} cannot be ordered in this quantity.`,
  'refusal.listed-twice': (p: { name: string }) => `${p.name} is in the order twice.`,
  'refusal.area-closed-for-cattle': 'We do not deliver cattle to this area. Please choose another area.',
  'refusal.area-closed-for-produce': 'We do not deliver to this area. Please choose another area.',
  'refusal.cod-not-offered': 'Cash on delivery is not offered for these items.',
  'refusal.below-gateway-minimum': 'Online payment takes at least ৳10. Please pay a larger part, or choose cash on delivery.',
  'refusal.above-gateway-maximum': 'Online payment takes at most ৳5,00,000 at once. Please choose Partial Payment and pay the rest later.',
  'refusal.listing': 'This value cannot be used.',
}
