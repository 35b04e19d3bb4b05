import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { wait as english } from '../en/wait.ts'

export const wait: TranslationOf<typeof english> = {
  'wait.title': 'পাওয়া গেলে আমাকে জানান',
  'wait.text': 'আবার অর্ডার করা গেলে আপনাকে একটি এসএমএস পাঠাব।',
  'wait.send': 'আমাকে জানান',
  'wait.sent': 'হয়ে গেছে। আপনাকে এসএমএস পাঠানো হবে।',
  'wait.no-sms': 'দোকান থেকে এখন এসএমএস যাচ্ছে না, তাই আপনি কোনো এসএমএস পাবেন না।',
  'wait.not-needed': 'এটি এখনই অর্ডার করা যায়, অথবা বিক্রি হয়ে গেছে। পাতাটি আবার লোড করুন।',
  'wait.no-response': 'সাড়া পাওয়া যায়নি। সংযোগ দেখে আবার চেষ্টা করুন।',
  'wait.sms': (p) => `${p.name} আবার অর্ডার করা যায়। ${p.link} ${p.shop}`,
}
