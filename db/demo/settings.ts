import { addDays } from '#lib/format/time.ts'
import type { Settings } from '#features/settings/settings.ts'
import { KURBANI_SEASON } from './categories.ts'

/** Dates of the demo's Kurbani season, relative to today, so that it is always in season. */
export function kurbaniDays(today: string) {
  return {
    season: KURBANI_SEASON,
    weighedFrom: addDays(today, -8),
    weighedTo: addDays(today, -1),
    deliveryFrom: addDays(today, 20),
    deliveryTo: addDays(today, 24),
  }
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
    announcement: {
      en: 'Kurbani cows are weighed and tagged: book yours with 10,000 taka.',
      bn: 'কোরবানির গরুর ওজন নেওয়া ও ট্যাগ লাগানো হয়েছে: ১০,০০০ টাকায় বুকিং দিন।',
    },
  }
}
