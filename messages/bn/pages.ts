import type { TranslationOf } from '#lib/i18n/translate.ts'
import type { pages as original } from '../en/pages.ts'

export const pages: TranslationOf<typeof original> = {
  'home.hero-title': 'নিজেদের খামার থেকে আপনার দরজায়',
  'home.hero-text': 'আখ, মাংসের গরু আর ফল, সবই আমাদের নিজেদের ফলানো ও পালা। প্রতিটি পশু ওজন করা, ট্যাগ লাগানো; যেমন আছে তেমনই দেখানো।',
  'home.hero-alt': 'আখখেতের সামনে হলুদ ট্যাগ পরা লাল ষাঁড়, মাঠে সাদা গরু, ঝুড়িভরা ফল',
  'home.shelf': 'সব পণ্য',
  'home.popup': 'খামারের খবর',
  'home.why.own': 'নিজেদের খামার',
  'home.why.own-text': 'মধ্যস্বত্বভোগী নেই; যা বেচি নিজেরাই ফলাই।',
  'home.why.weighed': 'ওজন করা, ট্যাগ লাগানো',
  'home.why.weighed-text': 'প্রতিটি ওজনের রেকর্ড আছে; চূড়ান্ত ওজনে দাম দিন।',
  'home.why.delivered': 'হোম ডেলিভারি',
  'home.why.delivered-text': 'নিজেদের গাড়িতে; আগের দিন ফোন করি।',

  'beef.title': 'লাইভ ওজনে মাংসের গরু',
  'beef.lead': 'ওজন দেখে বাছুন, অগ্রিম দিয়ে বুক করুন, চূড়ান্ত ওজন অনুযায়ী দাম দিন।',
  'fruits.title': 'মৌসুমি ফল',
  'fruits.lead': 'অর্ডারের পর পাড়া, কার্বাইডমুক্ত।',
  'kurbani.title': 'কোরবানির গরু',
  'kurbani.lead': 'প্রতিটি গরুর ট্যাগ, ওজন ও ওজনের তারিখসহ। অগ্রিম দিয়ে বুক করুন।',
  'closed.tag': 'শিগগিরই চালু',
  'closed.title': ({ shop }) => `${shop} শিগগিরই চালু হচ্ছে`,
  'closed.title-day': ({ day }) => `${day} দোকান চালু হবে`,
  'closed.text': 'পণ্য সাজানোর কাজ চলছে। শিগগিরই আবার আসুন।',
  'closed.text-phone': 'পণ্য সাজানোর কাজ চলছে। ততদিন ফোনে অর্ডার দিতে ও জানতে পারেন।',
  'closed.call': ({ phone }) => `ফোন করুন ${phone}`,
  'closed.login': 'কর্মীদের লগ ইন',
  'policy.draft': 'এটি খসড়া। দোকান চালু হওয়ার আগে এতে পরিবর্তন হতে পারে।',
  'policy.updated': (p) => `সর্বশেষ হালনাগাদ ${p.day}`,
}
