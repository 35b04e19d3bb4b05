import { addDays } from '#lib/format/time.ts'
import { nextEid, seasonDays } from '#features/settings/season-rules.ts'
import type { Settings } from '#features/settings/settings.ts'
import { KURBANI_SEASON } from './categories.ts'

/** Days before Eid from which the demo books for the next one: its deliveries and final weighings must lie ahead. */
const SEASON_CLOSES = 14

/** The demo's Kurbani season: weighed in the last days, delivered before the next Eid. */
export function kurbaniDays(today: string): Settings['kurbani'] {
  const { deliveryFrom, deliveryTo } = seasonDays(nextEid(addDays(today, SEASON_CLOSES)) ?? addDays(today, 25))
  return { season: KURBANI_SEASON, weighedFrom: addDays(today, -8), weighedTo: addDays(today, -1), deliveryFrom, deliveryTo }
}

/** The demo's settings; the others keep their defaults. All numbers and accounts are fictional. */
export function demoSettings(today: string): Partial<Settings> {
  return {
    shop: {
      name: { en: 'Khamar', bn: 'খামার' },
      motto: {
        en: 'Fruit, sugarcane, beef cattle and Kurbani cows from our own farm',
        bn: 'নিজেদের খামারের ফল, আখ, মাংসের গরু ও কোরবানির গরু',
      },
      phone: '01700000000',
      whatsapp: '01700000000',
      email: 'hello@khamar.example',
      address: { en: 'Khamar Road, Shajahanpur, Bogura', bn: 'খামার রোড, শাজাহানপুর, বগুড়া' },
      openingHours: { en: 'Every day, 9 am to 9 pm', bn: 'প্রতিদিন সকাল ৯টা থেকে রাত ৯টা' },
    },
    trade_licence: 'TRAD/DEMO/000000/2026',
    map_url: 'https://www.openstreetmap.org/search?query=Shajahanpur%2C%20Bogura',
    certificates_text: {
      en: '- Every animal is vaccinated and has a health record signed by a vet.\n- Demo: the owner lists memberships and certificates here.',
      bn: '- প্রতিটি পশুর টিকা দেওয়া এবং পশু চিকিৎসকের সই করা স্বাস্থ্য রেকর্ড আছে।\n- ডেমো: মালিক এখানে সদস্যপদ ও সনদের কথা লেখেন।',
    },
    payment_numbers: {
      bank: {
        bank: 'Demo Bank',
        branch: 'Bogura',
        accountName: 'Khamar (demo)',
        accountNumber: '0000 1111 2222',
        routingNumber: '000000000',
      },
      bkash: '01700000000',
      nagad: '01700000000',
    },
    kurbani: kurbaniDays(today),
    collection: {
      is_offered: true,
      address: { en: 'Khamar farm gate, Khamar Road, Shajahanpur, Bogura', bn: 'খামারের গেট, খামার রোড, শাজাহানপুর, বগুড়া' },
      note: { en: 'Every day, 9 am to 6 pm. Bring your order number.', bn: 'প্রতিদিন সকাল ৯টা থেকে সন্ধ্যা ৬টা। অর্ডার নম্বর সঙ্গে আনুন।' },
    },
    announcement: {
      en: 'Kurbani cows are here: book yours with ৳10,000.',
      bn: 'কোরবানির গরু এসেছে: ৳১০,০০০ দিয়ে বুক করুন।',
    },
  }
}

/** What differed in the demo of release 0.1.0. A demo that is cleared may be as old. */
export function settingsOf010(today: string): Partial<Settings> {
  return {
    ...demoSettings(today),
    kurbani: { ...kurbaniDays(today), deliveryFrom: addDays(today, 20), deliveryTo: addDays(today, 24) },
    announcement: {
      en: 'Kurbani cows are weighed and tagged: book yours with 10,000 taka.',
      bn: 'কোরবানির গরুর ওজন নেওয়া ও ট্যাগ লাগানো হয়েছে: ১০,০০০ টাকায় বুকিং দিন।',
    },
  }
}
