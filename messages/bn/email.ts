import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { email as english } from '../en/email.ts'

export const email: TranslationOf<typeof english> = {
  'email.hello': ({ name }) => `প্রিয় ${name},`,
  'email.placed.subject': ({ id, shop }) => `${shop}: অর্ডার ${id}`,
  'email.placed.heading': ({ id }) => `অর্ডার ${id} পেয়েছি`,
  'email.placed.intro': 'অর্ডারের জন্য ধন্যবাদ। নিচে পণ্য ও মোট টাকার হিসাব দেওয়া হলো।',
  'email.payment.subject': ({ id, shop }) => `${shop}: অর্ডার ${id}-এর পেমেন্ট`,
  'email.payment.heading': ({ id }) => `অর্ডার ${id}-এর টাকা পেয়েছি`,
  'email.payment.intro': 'আপনার টাকা পেয়েছি। কত পরিশোধ হয়েছে ও কত বাকি, ইনভয়েসে দেখুন।',
  'email.payment': 'পেমেন্ট',
  'email.adjustments': 'অর্ডারের পরে পরিবর্তন',
  'email.after-payment': 'পেমেন্টের পরে জানানো হবে',
  'email.link': 'অর্ডার ও ইনভয়েস দেখুন',
  'email.link-pay': 'অর্ডার দেখুন ও পেমেন্ট করুন',
  'email.private-link': 'এই লিংকে পাসওয়ার্ড ছাড়াই আপনার অর্ডার খোলে। ইমেইলটি কাউকে পাঠাবেন না।',
  'email.alarm.advances.subject': 'অগ্রিম যাচাই করতে হবে',
  'email.alarm.advances.text': ({ count }) => `যাচাইয়ের অপেক্ষায় থাকা অগ্রিম: ${count}টি।`,
  'email.alarm.sms.subject': 'এসএমএস যাচ্ছে না',
  'email.alarm.sms.text': 'এসএমএস কোম্পানি কোনো মেসেজ নিচ্ছে না। ব্যালেন্স ও অ্যাকাউন্ট দেখুন।',
  'email.alarm.backup.subject': 'ব্যাকআপ পুরোনো হয়ে গেছে',
  'email.alarm.backup.text': ({ hours }) => `শেষ ব্যাকআপ ${hours} ঘণ্টার বেশি পুরোনো।`,
  'email.alarm.link': 'অ্যাডমিন খুলুন',
  'email.alarm.footer': 'দিনে একবারের বেশি পাঠানো হয় না। ঠিকানাগুলো সেটিংসের ইমেইল অংশে আছে।',
}
