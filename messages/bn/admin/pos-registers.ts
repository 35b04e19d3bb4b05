import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { posRegisters as original } from '#messages/en/admin/pos-registers.ts'

export const posRegisters: TranslationOf<typeof original> = {
  'pos.registers': 'কাউন্টারের তালিকা',
  'pos.registers.about': 'প্রতিটি কাউন্টারে একটি ড্রয়ার। নতুন নামে শিফট খুললে নতুন কাউন্টার যোগ হয়।',
  'pos.registers.none': 'এখনো কোনো কাউন্টার নেই। শিফট খোলার সময় নাম দিন।',
  'pos.registers.status': 'অবস্থা',
  'pos.registers.free': 'কোনো শিফট খোলা নেই',
  'pos.registers.off': 'বন্ধ',
  'pos.registers.last-opened': 'শেষ শিফট',
  'pos.registers.name': 'নাম',
  'pos.registers.name-hint': 'আগের শিফট ও রসিদে পুরোনো নামই থাকবে।',
  'pos.registers.active': 'চালু',
  'pos.registers.active-hint': 'বন্ধ কাউন্টারে শিফট খোলা যায় না। আগের রিপোর্ট থেকে যায়।',
  'pos.registers.name-taken': 'এই নামে আরেকটি কাউন্টার আছে।',
  'pos.register-off': 'এই কাউন্টার বন্ধ আছে। অন্য কাউন্টার নিন, বা ম্যানেজারকে চালু করতে বলুন।',
  'pos.registers.all': 'সব কাউন্টার',
  'pos.drawer': 'ক্যাশ ড্রয়ার',
  'pos.drawer.sales': 'নগদ বিক্রি',
  'pos.drawer.account': 'বাকি আদায়',
  'pos.drawer.in': 'নগদ জমা',
  'pos.drawer.out': 'নগদ উত্তোলন',
  'pos.drawer.refunds': 'রিফান্ড',
  'pos.drawer.between': 'দুই শিফটের মাঝে পরিবর্তন',
  'pos.drawer.day': 'সারা দিন',
  'pos.registers.open-by': (p) => `${p.name}-এর শিফট খোলা`,
  'pos.registers.in-use': (p) => `${p.name}-এর শিফট এখানে খোলা আছে। আগে সেটি বন্ধ করুন।`,
}
