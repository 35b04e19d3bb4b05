import type { TranslationOf } from '#lib/i18n.ts'
import type { leaderboard as original } from '../../en/office/leaderboard.ts'

export const leaderboard: TranslationOf<typeof original> = {
  'leaderboard.id': 'আইডি',
  'leaderboard.name': 'নাম',
  'leaderboard.phone': 'ফোন',
  'leaderboard.email': 'ইমেইল',
  'leaderboard.spent': 'মোট খরচ',
  'leaderboard.orders': 'মোট অর্ডার',
  'leaderboard.last': 'শেষ অর্ডার',
  'leaderboard.taka': (p) => `${p.amount} টাকা`,
  'leaderboard.never': 'নেই',
  'leaderboard.broken-day': 'তারিখ ঠিক নেই',
  'leaderboard.repeat': 'আবার এসেছেন',
  'leaderboard.min-spent': 'খরচ অন্তত',
  'leaderboard.max-spent': 'খরচ সর্বোচ্চ',
  'leaderboard.period': (p) => `${p.from} থেকে ${p.to} পর্যন্ত দেওয়া অর্ডার, যেগুলো পৌঁছেছে`,
  'leaderboard.empty': 'এই সময়ের কোনো অর্ডার এখনো পৌঁছায়নি। আরও লম্বা সময় বেছে দেখুন।',
}
