// Store credit of customers.
export const posCredit = {
  'pos.store_credit': 'Store credit',
  'pos.credit.balance': 'Store credit left',
  'pos.credit.state': (p: { balance: string }) => `Store credit: ${p.balance}`,
  'pos.credit.has': (p: { balance: string }) => `${p.balance} left`,
  'pos.credit.use': 'Use store credit',
  'pos.credit.none': 'This customer has no store credit.',
  'pos.credit.too-little': (p: { balance: string }) => `Only ${p.balance} of store credit is left.`,
  'pos.credit.at-least': (p: { amount: string }) => `At least ${p.amount} must be refunded as store credit.`,
  'pos.credit.needs-phone': 'Store credit needs the customer’s phone.',
  'pos.credit.customers-only': 'Store credit is for customers, not for staff.',
  'pos.credit.needs-network': 'A sale with store credit needs the network.',
  'pos.credit.used': 'Paid with store credit',
  'pos.credit.issued': 'Refunded as store credit',
}
