import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { lock as english } from '#messages/en/admin/lock.ts'

export const lock: TranslationOf<typeof english> = {
  'lock.title': 'স্ক্রিন লক করা',
  'lock.locked': 'স্ক্রিন লক করা আছে। পিন দিন।',
  'lock.for': (p: { name: string }) => `${p.name} লগ ইন করা আছেন`,
  'lock.pin': 'পিন',
  'lock.pin-required': 'পিন দিন।',
  'lock.pin-wrong': 'পিন ভুল। ৫ বার ভুল হলে আবার লগ ইন করতে হবে।',
  'lock.pin-format': '৪ থেকে ৬টি সংখ্যা দিন।',
  'lock.pin-simple': 'সহজে অনুমান করা যায় না এমন পিন দিন।',
  'lock.new-pin': 'নতুন পিন (৪–৬টি সংখ্যা)',
  'lock.password': 'পাসওয়ার্ড',
  'lock.password-required': 'পাসওয়ার্ড দিন।',
  'lock.password-wrong': 'পাসওয়ার্ড ভুল',
  'lock.unlock': 'খুলুন',
  'lock.forgot': 'পিন ভুলে গেছি',
  'lock.set': 'পাসওয়ার্ড দিয়ে একটি পিন ঠিক করুন। পরের বার শুধু পিনেই হবে।',
  'lock.ended': 'অনেকবার ভুল পিন দেওয়া হয়েছে। আবার লগ ইন করুন।',
  'lock.logout': 'লগ আউট',
  'lock.lock': 'লক',
}
