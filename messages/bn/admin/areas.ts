import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { areas as original } from '#messages/en/admin/areas.ts'

export const areas: TranslationOf<typeof original> = {
  'areas.new': 'নতুন এলাকা',
  'areas.add': 'এলাকা যোগ করুন',
  'areas.name': 'এলাকা',
  'areas.name-en': 'ইংরেজি নাম',
  'areas.name-bn': 'বাংলা নাম',
  'areas.cattle': 'গরু',
  'areas.produce': 'ফল ও ফসল',
  'areas.own': 'পণ্যের নিজের চার্জ',
  'areas.closed': 'ডেলিভারি নেই',
  'areas.set': 'এলাকার চার্জ',
  'areas.charge': 'চার্জ (টাকা)',
  'areas.active': 'এই এলাকায় ডেলিভারি দিন',
  'areas.active-hint': 'নিষ্ক্রিয় এলাকা ক্রেতাদের দেখানো হয় না। পুরোনো অর্ডারে থেকে যাবে।',
  'areas.state': 'সক্রিয়',
  'areas.inactive': 'নিষ্ক্রিয়',
  'areas.position': 'ক্রম',
  'areas.days': 'ডেলিভারির দিন',
  'areas.weekdays': 'সপ্তাহের যেসব দিনে এই এলাকায় ডেলিভারি হয়',
  'areas.weekdays-hint': 'ওয়েবসাইট, ফোনের অর্ডার ও কাউন্টারে শুধু এই দিনগুলোই দেখাবে। পুরো দোকানের বন্ধের দিন সেটিংসে থাকে।',
  'areas.weekdays-shop': 'এই দিনগুলোতে পুরো দোকান বন্ধ। অন্য দিন বেছে নিন।',
  'areas.weekdays-none': 'অন্তত একটি দিন রাখুন।',
  'areas.charges': 'ডেলিভারি চার্জ',
  'areas.where': 'অবস্থান',
  'areas.empty': 'এখনো কোনো এলাকা নেই। যেসব এলাকায় ডেলিভারি দেন, যোগ করুন।',
}
