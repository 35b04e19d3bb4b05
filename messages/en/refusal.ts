// What the shop says when a rule refuses something.
export const refusal = {
  'partial.invalid': 'Please enter a valid number.',
  'partial.belowDelivery': (p: { amount: string }) => `Amount cannot be less than delivery charge (${p.amount}).`,
  'partial.aboveTotal': (p: { amount: string }) => `Amount cannot be more than total amount (${p.amount}).`,
  'partial.belowAdvance': (p: { amount: string }) => `Amount cannot be less than the advance for these items (${p.amount}).`,
}
