import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { orderEmails as english } from '../../en/admin/order-emails.ts'

export const orderEmails: TranslationOf<typeof english> = {
  'admin-orders.emails': 'ইমেইল',
  'admin-orders.email.order-placed': 'অর্ডার নিশ্চিতকরণ',
  'admin-orders.email.payment-received': 'পেমেন্টের রসিদ',
  'admin-orders.email-state.queued': 'অপেক্ষায়',
  'admin-orders.email-state.sending': 'পাঠানো হচ্ছে',
  'admin-orders.email-state.sent': 'পাঠানো হয়েছে',
  'admin-orders.email-state.failed': 'যায়নি',
  'admin-orders.email-state.skipped': 'বাদ দেওয়া হয়েছে',
  'admin-orders.email': 'ইমেইল',
}
