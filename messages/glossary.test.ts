import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
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
  ],
} as const

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

it('reads every label and SMS text', () => expect(texts.length).toBeGreaterThan(2_500))

it.each(['en', 'bn'] as const)('uses one word for one thing in %s', (lang) => {
  const found = [...texts, ...templates, ...headings]
    .filter((text) => text.lang === lang && !SPECIFIED.has(text.key))
    .flatMap(({ key, text }) => GLOSSARY[lang].flatMap(([word, instead]) => (word.test(text) ? [`${key}: ${word} → ${instead}`] : [])))
  expect(found).toEqual([])
})

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesOf(path) : entry.name.endsWith('.ts') ? [path] : []
  })
}
