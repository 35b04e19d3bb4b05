import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { POLICIES } from '#db/demo/policies.ts'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { CSV_COLUMNS } from '#features/catalog/products/csv-columns.ts'

/** Words that labels must not use, and the one word for the thing. Words in `specified` texts stay. */
const GLOSSARY = {
  en: [
    [/voucher/i, 'coupon'],
    [/\bsign(ed|ing)?[ -](in|out)\b/i, 'log in, log out'],
    [/\btills?\b/i, 'POS'],
    [/\boffice\b/i, 'admin'],
    [/second (factor|step)/i, 'two-step verification'],
    [/on the list of/i, 'delivery date'],
    [/\bfilms?\b/i, 'video'],
    [/\b(shelf|shelves)\b/i, 'section'],
    [/\b(whoever|somebody|nobody|anew|mend|wish(es)?)\b/i, 'plain standard English'],
    [/transaction number/i, 'transaction ID'],
    [/\beverybody\b/i, 'everyone'],
    [/activity log/i, 'audit log'],
    [/POS code/i, 'approval code'],
    [/(?<![.{(] ?)\bgoods\b(?!:)/i, 'products, items'],
  ],
  bn: [
    [/(^|[^ও] )চালান(ের|টি|ে)? /u, 'ইনভয়েস'],
    [/জীবন্ত ওজন|লাইভ ওয়েট/u, 'লাইভ ওজন'],
    [/ভাউচার/u, 'কুপন'],
    [/সাইন ?(ইন|আউট)|লগইন|লগআউট/u, 'লগ ইন, লগ আউট'],
    [/গ্রাহক/u, 'ক্রেতা'],
    [/মজুদ/u, 'মজুত'],
    [/ব্যবস্থাপক/u, 'ম্যানেজার'],
    [/যন্ত্র/u, 'ডিভাইস'],
    [/পাল্লা/u, 'স্কেল'],
    [/(^|\s)টিল(ে|\s)/u, 'কাউন্টার'],
    [/না দিলেও চলে/u, 'ঐচ্ছিক'],
    [/অফিস/u, 'অ্যাডমিন'],
    [/দ্বিতীয় ধাপ/u, 'দুই ধাপের যাচাই'],
    [/লেনদেন নম্বর|ট্রানজ্যাকশন নম্বর|ট্রানজেকশন/u, 'ট্রানজ্যাকশন আইডি'],
    [/দামের সীমা/u, 'দামের পরিসর'],
    [/পরিচয়পত্র/u, 'আইডি কার্ড'],
    [/(^|[\s'`“])রেট(\s|ে|ের|$)/u, 'দর'],
    [/প্রাইভেসি পলিসি/u, 'গোপনীয়তা নীতি'],
    [/ফরম([^্]|$)/u, 'ফর্ম'],
    [/পেজটি/u, 'পাতা'],
    [/ওজনকর্মী/u, 'ওজনকারী'],
    [/পৌঁছে গেছে”/u, 'ডেলিভার হয়েছে'],
    [/আটক(ে রাখুন|ে রইল|ানো)/u, 'হোল্ডে'],
    [/\bPOS\b/u, 'কাউন্টার'],
    [/01X/u, '০১৭১২৩৪৫৬৭৮'],
    [/কাউন্টার কোড/u, 'অনুমোদন কোড'],
    [/অপ্রকাশিত/u, 'লুকানো'],
    [/লেজার/u, 'লেনদেনের খাতা'],
    [/ওজন-ধাপ/u, 'ওজনের ধাপ'],
    [/প্রতি কেজি(?!র)/u, 'কেজিপ্রতি'],
    [/সাধারণ ক্রেতা/u, 'কাউন্টারের ক্রেতা'],
    [/কোরবানি বুকিং/u, 'প্রি-বুকিং'],
    [/রিমাইন্ডার/u, 'তাগাদা'],
    [/হোম পেজ/u, 'হোমপেজ'],
    [/QR/u, 'কিউআর'],
    [/[০-৯] MB|মেগাবাইট/u, 'এমবি'],
    [/একসাথে/u, 'একসঙ্গে'],
    [/(^|[\s'`])উপরে/u, 'ওপরে'],
    [/এখনও/u, 'এখনো'],
    [/দুইবার(?!ে)/u, 'দুবার'],
    [/সবসময়/u, 'সব সময়'],
    [/জিজ্ঞাসা/u, 'জিজ্ঞেস'],
    [/শেষ ওজনে/u, 'চূড়ান্ত ওজন'],
    [/[‘’]/u, '“ ”'],
  ],
} as const

/** Texts that end like the name of a button, and are none. */
const NOT_BUTTONS = new Set([
  'door.collected-of',
  'pos.out-of-stock-named',
  'pos.payment-of',
  'pos.percent-of',
  'pos.receiptless.price-of',
  'pos.return.sale-of',
  'reconcile.upload-of',
])

/** Texts that the specification fixes word for word. */
const SPECIFIED = new Set(['notice.cutoff'])

const texts = (['en', 'bn'] as const).flatMap((lang) =>
  filesOf(join(import.meta.dirname, lang)).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split(/\n(?= {2}')/)
      .flatMap((entry) => {
        const key = /^ {2}'([\w.-]+)':/.exec(entry)?.[1]
        return key ? [{ lang, key, text: entry.slice(entry.indexOf(':') + 1) }] : []
      }),
  ),
)

const templates = Object.entries(DEFAULT_SETTINGS.messages).flatMap(([name, text]) => [
  { lang: 'en' as const, key: `settings.messages.${name}`, text: text.en },
  { lang: 'bn' as const, key: `settings.messages.${name}`, text: text.bn },
])

const headings = CSV_COLUMNS.flatMap(({ key, en, bn }) => [
  { lang: 'en' as const, key: `csv.${key}`, text: en },
  { lang: 'bn' as const, key: `csv.${key}`, text: bn },
])

// Only the Bengali words: the English list is for labels, not for prose.
const policies = POLICIES.map(({ slug, title, body }) => ({ lang: 'bn' as const, key: `policy.${slug}`, text: `${title.bn}\n${body.bn}` }))

it('reads every label and SMS text', () => expect(texts.length).toBeGreaterThan(2_500))

it.each(['en', 'bn'] as const)('uses one word for one thing in %s', (lang) => {
  const found = [...texts, ...templates, ...headings, ...policies]
    .filter((text) => text.lang === lang && !SPECIFIED.has(text.key))
    .flatMap(({ key, text }) => GLOSSARY[lang].flatMap(([word, instead]) => (word.test(text) ? [`${key}: ${word} → ${instead}`] : [])))
  expect(found).toEqual([])
})

it('writes digits and letters of Bengali texts in one form', () => {
  const wrong = texts.flatMap(({ lang, key, text }) => {
    const words = Array.from(text.matchAll(/'([^']*)'|`([^`]*)`/g), ([, plain, template]) => plain ?? template ?? '').join(' ')
    // Latin digits belong to Latin letters only: K-101, A4. য় is stored as two characters (NFC), without joiners.
    const isWrong =
      /(?<![A-Za-z\d-])\d+(?![A-Za-z\d])/.test(words.replace(/\$\{[^}]*\}/g, '')) ||
      words !== words.normalize() ||
      /[\u200b-\u200d]/.test(words)
    return lang === 'bn' && isWrong ? [`${key}: ${words}`] : []
  })
  expect(wrong).toEqual([])
})

it('names a button by words that contain its label', () => {
  const plain = new Map(texts.map(({ lang, key, text }) => [`${lang} ${key}`, plainText(text)]))
  const wrong = texts.flatMap(({ lang, key, text }) => {
    const label = plain.get(`${lang} ${key.replace(/-(of|name|named|as)$/, '')}`)
    const isName = /-(of|name|named|as)$/.test(key) && label !== undefined && !NOT_BUTTONS.has(key)
    return isName && !plainText(text).includes(label) ? [`${lang} ${key}: ${label}`] : []
  })
  expect(wrong).toEqual([])
})

/** The words of a text: no arguments, quotes and marks at the end. */
function plainText(source: string): string {
  return source
    .replace(/\(.*?\) =>/s, '')
    .replace(/\$\{[^}]*\}/g, ' ')
    .replace(/['`",\n]/g, '')
    .replace(/[.…]\s*$/, '')
    .trim()
    .toLowerCase()
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesOf(path) : entry.name.endsWith('.ts') ? [path] : []
  })
}
