import type { TranslationOf } from '#lib/i18n.ts'
import { formatNumber } from '#lib/numbers.ts'
import type { pages as original } from '../en/pages.ts'

export const pages: TranslationOf<typeof original> = {
  'home.title': 'খামার: নিজেদের খামারের ফল, মাংসের গরু ও কোরবানির গরু',
  'home.description': 'ট্যাগ আর ওজনের হিসাবসহ লাইভ ওয়েটে গরু, আগের দিন পাড়া ফল, আখ: নিজেদের খামার থেকে আপনার দরজায়।',
  'home.hero-title': 'নিজেদের খামার থেকে আপনার দরজায়',
  'home.hero-text': 'আখ, মাংসের গরু আর ফল, সবই আমাদের নিজেদের ফলানো ও পালা। প্রতিটি পশু ওজন করা, ট্যাগ লাগানো; যেমন আছে তেমনই দেখানো।',
  'home.hero-alt': 'আখখেতের সামনে হলুদ ট্যাগ পরা লাল ষাঁড়, মাঠে সাদা গরু, ঝুড়িভরা ফল',
  'home.shelf': 'আমাদের সব পণ্য',
  'home.popup': 'খামারের খবর',
  'home.why.own': 'নিজেদের খামার',
  'home.why.own-text': 'মাঝখানে কেউ নেই; যা বেচি নিজেরাই ফলাই।',
  'home.why.weighed': 'ওজন করা, ট্যাগ লাগানো',
  'home.why.weighed-text': 'তারিখসহ ওজন; শেষ ওজনেই দাম ঠিক হয়।',
  'home.why.delivered': 'বাড়িতে পৌঁছানো',
  'home.why.delivered-text': 'নিজেদের পিকআপে; আগের দিন ফোন করি।',

  'beef.title': 'লাইভ ওয়েটে মাংসের গরু',
  'beef.lead': 'ওজন দেখে বাছুন, অগ্রিম দিয়ে বুক করুন; দাম দেবেন শেষ ওজনে স্কেল যা বলে সেই হিসাবে।',
  'beef.description': 'লাইভ ওয়েটে মাংসের গরু: ছবি, কানের ট্যাগ, তারিখসহ ওজন, কেজিপ্রতি দর; ঢাকা ও আশপাশে ডেলিভারি।',
  'fruits.title': 'মৌসুমের ফল',
  'fruits.lead': 'অর্ডারের জন্যই পাড়া, কার্বাইডে পাকানো নয়।',
  'fruits.description': 'নিজেদের বাগানের আম, কাঁঠাল, লিচু, পেয়ারা ও অন্য ফল, কেজি হিসাবে; আপনার অর্ডারের জন্যই পাড়া।',
  'kurbani.title': 'কোরবানির গরু',
  'kurbani.lead': 'প্রতিটির ট্যাগ, ওজন আর ওজনের তারিখ লেখা আছে। অগ্রিম দিয়ে আপনারটি বুক করুন।',
  'kurbani.description': 'লাইভ ওয়েটে কোরবানির গরু: ট্যাগ, ওজনের খাতা, ছবি ও ভিডিও; অগ্রিম দিয়ে বুকিং।',
  'page.number': (p) => `${p.title}, ${formatNumber(p.page, 'bn')} নম্বর পাতা`,
  'policy.updated': (p) => `${p.day} থেকে কার্যকর`,
  'product.title': (p) => `${p.name}, ${p.price}`,
}
