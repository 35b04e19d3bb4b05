import type { TranslationOf } from '#lib/i18n.ts'
import type { areas as original } from '../../en/office/areas.ts'

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
  'areas.set': 'এই এলাকার চার্জ',
  'areas.charge': 'চার্জ (টাকা)',
  'areas.active': 'এখানে ডেলিভারি দিই',
  'areas.active-hint': 'টিক না থাকলে ক্রেতারা এলাকাটি বাছতে পারবেন না; পুরোনো অর্ডারে থেকে যাবে।',
  'areas.inactive': 'দেখানো হয় না',
  'areas.position': 'তালিকায় স্থান',
  'areas.charges': 'ডেলিভারি চার্জ',
  'areas.where': 'কোথায়',
  'areas.empty': 'এখনো কোনো এলাকা নেই। ক্রেতারা শুধু এখানকার এলাকাই বাছতে পারেন।',
}
