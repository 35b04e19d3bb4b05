import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { areaRequests as english } from '#messages/en/admin/area-requests.ts'

export const areaRequests: TranslationOf<typeof english> = {
  'area-requests.when': 'তারিখ',
  'area-requests.name': 'নাম',
  'area-requests.place': 'জায়গা',
  'area-requests.state': 'অবস্থা',
  'area-requests.note': 'নোট',
  'area-requests.all': 'সব',
  'area-requests.state.new': 'নতুন',
  'area-requests.state.called': 'ফোন করা হয়েছে',
  'area-requests.state.done': 'শেষ',
  'area-requests.mark.called': 'ফোন করেছি',
  'area-requests.mark.done': 'শেষ করুন',
  'area-requests.edit': 'সম্পাদনা',
  'area-requests.edit-name': ({ name }) => `${name}-এর তথ্য সম্পাদনা`,
  'area-requests.saved': 'সংরক্ষণ হয়েছে',
  'area-requests.empty': 'এখনো কোনো অনুরোধ নেই। এলাকা তালিকায় না থাকলে ক্রেতারা চেকআউট থেকে পাঠান।',
}
