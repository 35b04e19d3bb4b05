export const orderEmails = {
  'admin-orders.emails': 'Email',
  'admin-orders.email.order-placed': 'Order confirmation',
  'admin-orders.email.payment-received': 'Payment receipt',
  'admin-orders.email-state.queued': 'Queued',
  'admin-orders.email-state.sending': 'Sending',
  'admin-orders.email-state.sent': 'Sent',
  'admin-orders.email-state.failed': 'Failed',
  'admin-orders.email-state.skipped': 'Left out',
  'admin-orders.email': 'Email',
}
