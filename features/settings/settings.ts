// The settings of the shop, which the owner changes in the admin, and their defaults.
import type { Picture } from '#lib/files/picture.ts'
import type { SmsTemplate } from './sms/template-rules.ts'

export interface Bilingual {
  en: string
  bn: string
}

/** The format of a scale's labels whose barcode begins with `prefix`; an empty prefix disables it. See features/pos/scale-label.ts. */
export interface ScaleLabelRule {
  prefix: string
  holds: 'weight' | 'price'
  /** Digits of the product's number after the prefix. */
  item_digits: number
  /** Digits of the weight or price, before the check digit. */
  value_digits: number
  /** The number of them that are decimals of a kilogram or a taka. */
  decimals: number
}

export interface Settings {
  shop: {
    name: Bilingual
    /** One sentence under the name, for search engines and the footer. */
    motto: Bilingual
    phone: string
    whatsapp: string
    email: string
    address: Bilingual
    openingHours: Bilingual
  }
  /** The shop's own logo; null: the ear tag. */
  logo: { image_id: number; picture: Picture } | null
  /** The number of the trade licence; empty = not shown. */
  trade_licence: string
  /** The https address of a page that shows the farm on a map; empty = none. */
  map_url: string
  /** What certificates the shop has, as text and as pictures. */
  certificates_text: Bilingual
  certificates: { image_id: number; picture: Picture }[]
  /** The accounts to which customers transfer an advance. */
  payment_numbers: {
    bank: { bank: string; branch: string; accountName: string; accountNumber: string; routingNumber: string }
    /** Merchant numbers; empty = not offered. */
    bkash: string
    nagad: string
  }
  /** The hour in Dhaka, 1 to 24, from which an order is not on the next day's list [S7]. 24: every order of a day is. */
  cutoff_hour: number
  /** The days that shoppers choose from: how many, the weekdays without delivery (0 is Sunday), and orders a day of a group (0: no limit). */
  delivery_days: { ahead: number; closed_weekdays: number[]; capacity: { cattle: number; produce: number } }
  /** Collection at the farm. The note says when and how. */
  collection: { is_offered: boolean; address: Bilingual; note: Bilingual }
  /** Taka paid to book an animal. */
  advance_amount: number
  /** Percent of live weight that is meat, as printed. */
  meat_yield: string
  /** Kilograms an animal may gain until delivery, as printed: from 250 kg on, and below. */
  gain_large: string
  gain_small: string
  kurbani: {
    /** The season of the rate table: rate_tiers.season. */
    season: string
    /** The days of the last weighing and of delivery. */
    weighedFrom: string
    weighedTo: string
    deliveryFrom: string
    deliveryTo: string
  }
  expiry: {
    /** Time to finish a gateway payment; then the stock is released [S3]. */
    paymentMinutes: number
    /** Time to report an advance that is transferred by hand. */
    unreportedMinutes: number
    /** The same with a verified phone, and the time to verify a reported advance. */
    advanceHours: number
  }
  /** Maximum numbers of unpaid animals on hold. Those of verified phones do not count for a network. */
  holds: {
    perPhone: number
    perBrowser: number
    /** Per phone verified by a code, and per its browser. */
    perProvenPhone: number
    /** Per IPv4 address or IPv6 /64, which thousands of shoppers may share. */
    perNetwork: number
  }
  /** Whether cash on delivery needs a phone verified by a code, and the total of the order, in taka, from which it does. */
  cash_on_delivery: { is_code_needed: boolean; code_from_taka: number }
  /** The pictures at the top of the home page: for wide screens, plain at the upper left; for phones, plain at the top. */
  hero: { wide: Picture | null; tall: Picture | null }
  /** Whether visitors may enter the shop, and the day that the page for them announces; empty = none. A shop without the row is open. */
  opening: { isOpen: boolean; opensOn: string }
  /** A line at the top of every page; empty = none. */
  announcement: Bilingual
  /** A weigh-in that differs by more than this many kg a day since the last asks for confirmation [W5]. */
  weigh_in_kg_per_day: number
  /** English SMS for customers who ordered in English. Off by default, because a named sender may send only Bengali. */
  sms_english: boolean
  /** SMS a day, without codes. When it is used up, SMS about orders wait. Those written by staff are always sent, and count. */
  sms_daily_limit: number
  /** Addresses that get the alarms of the shop by email, separated by commas; empty: the owners. */
  alarm_emails: string
  /** Ids of Meta Pixel and Google Analytics 4, with which visits are measured after consent; empty: not at all. */
  analytics: { pixel_id: string; ga4_id: string }
  /** Hours in Dhaka in which only SMS that a user waits for are sent: from the first until the second. Equal hours: none. */
  quiet_hours: { from: number; to: number }
  /** Whether customers get an SMS on the day before delivery, and from which hour. */
  delivery_sms: { automatic: boolean; hour: number }
  /** Counted products with at most this stock are low in stock, in any unit. */
  low_stock: number
  /** Maximum discount by a cashier without a supervisor: percent of the lines, and taka. */
  pos_discount: { percent: number; taka: number }
  /** Maximum refunds by a cashier without a supervisor: taka of one sale, taka of one day, and days since the sale. */
  pos_return: { taka: number; day_taka: number; days: number }
  /** Cashiers do not see the expected sums of their shifts, also not when they count at closing. */
  blind_count: boolean
  /** Cash at the POS is rounded to whole taka (features/pos/rounding-rules.ts). */
  cash_rounding: boolean
  /** The payment methods of the POS beside cash, bKash and bank. */
  pos_methods: { nagad: boolean; rocket: boolean; card: boolean }
  /** Cashiers may sell without a phone. */
  walk_in_sales: boolean
  scale_labels: ScaleLabelRule[]
  /** Staff without a second factor must set one up before they use the admin. */
  staff_second_factor: boolean
  /** Hours that a session of a cashier or weigher lasts; it locks when idle. */
  device_session_hours: number
  /** The hour in Dhaka of the nightly backup, and how many daily, weekly and monthly backups the retention leaves. */
  backup: { hour: number; daily: number; weekly: number; monthly: number }
  /** SMS texts. */
  messages: Record<SmsTemplate, Bilingual>
}

export const DEFAULT_SETTINGS: Settings = {
  shop: {
    name: { en: 'Khamar', bn: 'খামার' },
    motto: {
      en: 'Fruit, sugarcane, beef cattle and Kurbani cows from our own farm',
      bn: 'নিজেদের খামারের ফল, আখ, মাংসের গরু ও কোরবানির গরু',
    },
    phone: '',
    whatsapp: '',
    email: '',
    address: { en: '', bn: '' },
    openingHours: { en: 'Every day, 9 am to 9 pm', bn: 'প্রতিদিন সকাল ৯টা থেকে রাত ৯টা' },
  },
  logo: null,
  trade_licence: '',
  map_url: '',
  certificates_text: { en: '', bn: '' },
  certificates: [],
  payment_numbers: {
    bank: { bank: '', branch: '', accountName: '', accountNumber: '', routingNumber: '' },
    bkash: '',
    nagad: '',
  },
  cutoff_hour: 21,
  delivery_days: { ahead: 14, closed_weekdays: [], capacity: { cattle: 0, produce: 0 } },
  collection: { is_offered: false, address: { en: '', bn: '' }, note: { en: '', bn: '' } },
  advance_amount: 10_000,
  meat_yield: '55–57',
  gain_large: '10–15',
  gain_small: '5–10',
  kurbani: {
    season: 'kurbani',
    weighedFrom: '2025-04-22',
    weighedTo: '2025-04-29',
    deliveryFrom: '2025-06-02',
    deliveryTo: '2025-06-06',
  },
  expiry: { paymentMinutes: 30, unreportedMinutes: 30, advanceHours: 24 },
  holds: { perPhone: 3, perBrowser: 3, perProvenPhone: 10, perNetwork: 10 },
  cash_on_delivery: { is_code_needed: false, code_from_taka: 5000 },
  hero: { wide: null, tall: null },
  opening: { isOpen: true, opensOn: '' },
  announcement: { en: '', bn: '' },
  weigh_in_kg_per_day: 2,
  sms_english: false,
  sms_daily_limit: 2000,
  alarm_emails: '',
  analytics: { pixel_id: '', ga4_id: '' },
  quiet_hours: { from: 22, to: 8 },
  delivery_sms: { automatic: true, hour: 17 },
  low_stock: 10,
  pos_discount: { percent: 5, taka: 500 },
  pos_return: { taka: 2000, day_taka: 5000, days: 7 },
  blind_count: true,
  cash_rounding: false,
  pos_methods: { nagad: false, rocket: false, card: false },
  walk_in_sales: false,
  scale_labels: [
    { prefix: '27', holds: 'weight', item_digits: 5, value_digits: 5, decimals: 3 },
    { prefix: '28', holds: 'price', item_digits: 5, value_digits: 5, decimals: 1 },
    { prefix: '', holds: 'weight', item_digits: 5, value_digits: 5, decimals: 3 },
    { prefix: '', holds: 'weight', item_digits: 5, value_digits: 5, decimals: 3 },
  ],
  staff_second_factor: false,
  device_session_hours: 12,
  backup: { hour: 3, daily: 7, weekly: 5, monthly: 12 },
  messages: {
    orderPlaced: {
      en: 'Khamar: order {order} received. Total {total}, due {due}. Delivery: {day}. View: {link}',
      bn: 'খামার: অর্ডার {order} পেয়েছি। মোট {total}, বাকি {due}। ডেলিভারি: {day}। {link}',
    },
    paymentReceived: {
      en: 'Khamar: payment for order {order} received. Due {due}. Delivery: {day}. {link}',
      bn: 'খামার: অর্ডার {order}-এর টাকা পেয়েছি। বাকি {due}। ডেলিভারি: {day}। {link}',
    },
    paymentRefused: {
      en: 'Khamar: order {order} payment refused: {reason}. Refunded if taken. Pay: {link} or call {phone}',
      bn: 'খামার: অর্ডার {order}-এর পেমেন্ট নেওয়া যায়নি: {reason}। টাকা কাটা হয়ে থাকলে ফেরত যাবে। আবার পেমেন্ট করুন: {link} বা ফোন করুন {phone}',
    },
    advanceReminder: {
      en: 'Khamar: send {amount} for order {order} before {until} or the booking ends. {link}',
      bn: 'খামার: অর্ডার {order}-এর অগ্রিম {amount} পাঠান {until}-এর আগে, নইলে বুকিং বাতিল হবে। {link}',
    },
    advanceVerified: {
      en: 'Khamar: the advance for order {order} is verified, your animal is booked. Due {due}. Delivery: {day}. {link}',
      bn: 'খামার: অর্ডার {order}-এর অগ্রিম যাচাই হয়েছে, আপনার পশু বুক করা হয়েছে। বাকি {due}। ডেলিভারি: {day}। {link}',
    },
    advanceRefused: {
      en: 'Khamar: we did not find your advance for order {order}: {reason}. Send the correct transaction ID: {link} or call {phone}',
      bn: 'খামার: অর্ডার {order}-এর অগ্রিম পাওয়া যায়নি: {reason}। সঠিক ট্রানজ্যাকশন আইডি দিন: {link} বা ফোন করুন {phone}',
    },
    paymentFound: {
      en: 'Khamar: we have found your payment for order {order}, {amount}. Sorry for our last SMS. Due {due}. {link}',
      bn: 'খামার: অর্ডার {order}-এর {amount} পাওয়া গেছে। আগের এসএমএসের জন্য দুঃখিত। বাকি {due}। {link}',
    },
    paymentAfterEnd: {
      en: 'Khamar: we received {amount} for order {order}, which is closed. We will call you, or call {phone}',
      bn: 'খামার: অর্ডার {order}-এর {amount} পেয়েছি, তবে অর্ডারটি বন্ধ। আমরা ফোন করব, বা ফোন করুন: {phone}',
    },
    advanceMissing: {
      en: 'Khamar: please send {amount} to keep the booking of order {order}. How: {link} or call {phone}',
      bn: 'খামার: অর্ডার {order}-এর বুকিং রাখতে {amount} পাঠান। নিয়ম: {link} বা ফোন: {phone}',
    },
    settled: {
      en: 'Khamar: {tag} weighed {new_kg} (was {old_kg}), {rate}/kg: {difference}. Order {order}, due {due}. {link}',
      bn: 'খামার: {tag}-এর চূড়ান্ত ওজন {new_kg} (আগে {old_kg}), দর {rate}/কেজি: {difference}। অর্ডার {order}, বাকি {due}। {link}',
    },
    deliveryTomorrow: {
      en: 'Khamar: order {order} arrives tomorrow. Due {due}. Questions: {phone}',
      bn: 'খামার: অর্ডার {order} কাল পৌঁছাবে। বাকি {due}। ফোন: {phone}',
    },
    collectionTomorrow: {
      en: 'Khamar: order {order} is ready to collect tomorrow: {place}. Due {due}. Questions: {phone}',
      bn: 'খামার: অর্ডার {order} আগামীকাল নিতে পারবেন: {place}। বাকি {due}। জানতে ফোন করুন: {phone}',
    },
    firstDeliveryTomorrow: {
      en: 'Khamar: first delivery of order {order} arrives tomorrow: {goods}. Due {due}. Questions: {phone}',
      bn: 'খামার: অর্ডার {order}-এর প্রথম ডেলিভারি আগামীকাল: {goods}। বাকি {due}। জানতে ফোন করুন: {phone}',
    },
    lastDeliveryTomorrow: {
      en: 'Khamar: second delivery of order {order} arrives tomorrow: {goods}. Due {due}. Questions: {phone}',
      bn: 'খামার: অর্ডার {order}-এর দ্বিতীয় ডেলিভারি আগামীকাল: {goods}। বাকি {due}। জানতে ফোন করুন: {phone}',
    },
    deliveryMoved: {
      en: 'Khamar: order {order} has a new date: {day}. Due {due}. Questions: {phone}',
      bn: 'খামার: অর্ডার {order}-এর তারিখ বদলেছে, নতুন তারিখ: {day}। বাকি {due}। জানতে ফোন করুন: {phone}',
    },
    orderCancelled: {
      en: 'Khamar: order {order} is cancelled. Questions: {phone}',
      bn: 'খামার: অর্ডার {order} বাতিল হয়েছে। জানতে ফোন করুন: {phone}',
    },
    orderExpired: {
      en: 'Khamar: order {order} was not paid in time and is cancelled. Order again any time: {link}',
      bn: 'খামার: সময়মতো টাকা না পাওয়ায় অর্ডার {order} বাতিল হয়েছে। আবার অর্ডার করতে: {link}',
    },
    code: {
      en: 'Khamar: your code is {code}. It is valid for {minutes} minutes. Never share it.',
      bn: 'খামার: আপনার কোড {code}, মেয়াদ {minutes} মিনিট। কাউকে বলবেন না।',
    },
  },
}
