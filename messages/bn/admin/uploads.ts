import { bengaliDigits } from '#lib/format/numbers.ts'

const figure = (n: number) => bengaliDigits(String(n))

export const uploads = {
  'upload.none': 'একটি ফাইল বেছে নিন।',
  'upload.not-an-image': 'এটি দোকানে দেখানোর মতো ছবি নয়। JPEG, PNG বা WebP বেছে নিন।',
  'upload.not-a-video': 'এটি ব্রাউজারে চলার মতো MP4 নয়।',
  'upload.too-large': 'ফাইলটি অনেক বড়।',
  'upload.too-many-pixels': 'ছবিটিতে পিক্সেল অনেক বেশি। আগে ছোট করে নিন।',
  'upload.broken': 'ফাইলটি পুরো আসেনি। আবার চেষ্টা করুন।',
  'upload.lost': 'সার্ভারের সঙ্গে সংযোগ নেই। আবার চেষ্টা করুন।',
  'upload.choose': 'ছবি বেছে নিন',
  'upload.camera': 'ছবি তুলুন',
  'upload.drop': 'ছবি এখানে ছেড়ে দিন',
  'upload.hint': 'JPEG, PNG বা WebP, প্রতিটি সর্বোচ্চ ১২ MB।',
  'upload.sending': (p: { name: string; percent: number }) => `${p.name}: ${figure(p.percent)} %`,
  'upload.working': (p: { name: string }) => `${p.name}: তৈরি হচ্ছে…`,
  'upload.failed': (p: { name: string; reason: string }) => `${p.name}: ${p.reason}`,
  'upload.again': 'আবার চেষ্টা করুন',
  'upload.dismiss': 'সরান',
  'upload.most': (p: { most: number }) => `সর্বোচ্চ ${figure(p.most)}টি ছবি।`,
  'upload.first': 'কভার ছবি',
  'upload.picture': (p: { number: number }) => `ছবি ${figure(p.number)}`,
  'upload.earlier': (p: { number: number }) => `ছবি ${figure(p.number)} আগে আনুন`,
  'upload.later': (p: { number: number }) => `ছবি ${figure(p.number)} পরে নিন`,
  'upload.remove': (p: { number: number }) => `ছবি ${figure(p.number)} সরান`,
  'upload.crop': (p: { number: number }) => `ছবি ${figure(p.number)} কাটুন`,
  'upload.crop-title': 'ছবি কাটুন',
  'upload.crop-hint': 'ফ্রেমটি টেনে বা তীর-কী দিয়ে সরান। দোকানে ছবি ৪:৩ মাপে দেখা যায়।',
  'upload.crop-size': 'ফ্রেমের মাপ',
  'upload.crop-frame': 'ফ্রেম',
  'upload.crop-do': 'কাটুন',
}
