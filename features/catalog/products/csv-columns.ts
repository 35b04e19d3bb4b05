// A product as a line of a file: what each column is called in either language, and what stands in it.
import { COATS } from '#features/catalog/coats.ts'
import { PRODUCT_STATUSES } from '#features/catalog/rules.ts'
import { MISREAD, PHONE } from '#lib/csv/csv.server.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { compose } from '#lib/format/text.ts'
import { UNITS } from './product-rules.ts'

interface Words {
  en: string
  bn: string
}

const YES_NO = { yes: { en: 'yes', bn: 'হ্যাঁ' }, no: { en: 'no', bn: 'না' } }
const KINDS = { animal: { en: 'animal', bn: 'পশু' }, goods: { en: 'goods', bn: 'পণ্য' } }
const DISCOUNTS = { none: { en: 'none', bn: 'নেই' }, percentage: { en: 'percent', bn: 'শতাংশ' }, fixed: { en: 'taka', bn: 'টাকা' } }
const STATUS_WORDS: Record<(typeof PRODUCT_STATUSES)[number], Words> = {
  'in-stock': { en: 'in stock', bn: 'স্টকে আছে' },
  'pre-book': { en: 'pre-order', bn: 'প্রি-অর্ডার' },
  hold: { en: 'on hold', bn: 'হোল্ড' },
  'out-of-stock': { en: 'out of stock', bn: 'স্টকে নেই' },
  sold: { en: 'sold', bn: 'বিক্রীত' },
}
const UNIT_WORDS: Record<(typeof UNITS)[number], Words> = {
  kg: { en: 'kg', bn: 'কেজি' },
  piece: { en: 'piece', bn: 'টি' },
  dozen: { en: 'dozen', bn: 'ডজন' },
  bundle: { en: 'bundle', bn: 'আঁটি' },
}

export interface CsvColumn {
  key: string
  en: string
  bn: string
  /** Headings of files exported by earlier versions. */
  formerly?: readonly string[]
  /** One of these, by key or in either language. */
  choices?: Record<string, Words>
  /** Says something of a new product only: on one that is there it is left out. */
  isFirst?: boolean
}

/** The columns in their order; `id` finds the product. */
export const CSV_COLUMNS: readonly CsvColumn[] = [
  { key: 'id', en: 'Number', bn: 'নম্বর' },
  { key: 'kind', en: 'Type', bn: 'ধরন', formerly: ['Kind'], choices: KINDS },
  { key: 'category', en: 'Category', bn: 'বিভাগ' },
  { key: 'further_categories', en: 'More categories', bn: 'আরও বিভাগ', formerly: ['Further categories'] },
  { key: 'name_en', en: 'Name in English', bn: 'ইংরেজি নাম' },
  { key: 'name_bn', en: 'Name in Bengali', bn: 'বাংলা নাম' },
  { key: 'price', en: 'Price', bn: 'দাম' },
  { key: 'unit', en: 'Unit', bn: 'একক', choices: UNIT_WORDS },
  { key: 'discount_kind', en: 'Discount type', bn: 'ছাড়ের ধরন', formerly: ['Kind of discount'], choices: DISCOUNTS },
  { key: 'discount', en: 'Discount', bn: 'ছাড়' },
  { key: 'sizes', en: 'Pack sizes', bn: 'প্যাক সাইজ', formerly: ['Quantity steps', 'পরিমাণের ধাপ'] },
  { key: 'status', en: 'Status', bn: 'অবস্থা', choices: STATUS_WORDS },
  { key: 'visible', en: 'Published', bn: 'প্রকাশিত', formerly: ['In the shop', 'দোকানে'], choices: YES_NO },
  { key: 'stock', en: 'Stock', bn: 'মজুত', formerly: ['মজুদ'], isFirst: true },
  { key: 'barcode', en: 'Barcode', bn: 'বারকোড' },
  { key: 'tag_number', en: 'Tag number', bn: 'ট্যাগ নম্বর' },
  { key: 'breed_en', en: 'Breed in English', bn: 'জাত, ইংরেজিতে' },
  { key: 'breed_bn', en: 'Breed in Bengali', bn: 'জাত, বাংলায়' },
  { key: 'coat', en: 'Colour', bn: 'গায়ের রং', formerly: ['Coat'], choices: COATS },
  { key: 'teeth', en: 'Permanent teeth', bn: 'স্থায়ী দাঁত' },
  { key: 'birth_month', en: 'Birth month', bn: 'জন্মের মাস', formerly: ['Month of birth'] },
  { key: 'sold_by_live_weight', en: 'Sold by live weight', bn: 'লাইভ ওজনে বিক্রি', formerly: ['জীবন্ত ওজনে বিক্রি'], choices: YES_NO },
  { key: 'season', en: 'Season', bn: 'মৌসুম' },
  { key: 'weight_kg', en: 'Weight in kg', bn: 'ওজন (কেজি)', isFirst: true },
  { key: 'weighed_on', en: 'Weighed on', bn: 'ওজনের তারিখ', isFirst: true },
  { key: 'shipping_cost', en: 'Delivery charge', bn: 'ডেলিভারি চার্জ', formerly: ['ডেলিভারি খরচ'] },
  { key: 'advance_minimum', en: 'Minimum advance', bn: 'ন্যূনতম অগ্রিম', formerly: ['Least advance', 'সর্বনিম্ন অগ্রিম'] },
  { key: 'advance_percentage', en: 'Advance (%)', bn: 'অগ্রিম (শতাংশ)', formerly: ['Advance in percent'] },
  { key: 'advance_round_figure', en: 'Round advance to', bn: 'অগ্রিম রাউন্ড করুন', formerly: ['Advance in steps of', 'অগ্রিমের ধাপ'] },
  { key: 'coupon_applicable', en: 'Coupons allowed', bn: 'কুপন প্রযোজ্য', formerly: ['Coupons count', 'কুপন চলবে'], choices: YES_NO },
  { key: 'delivery_on', en: 'Delivery date', bn: 'ডেলিভারির তারিখ' },
  { key: 'note_en', en: 'Note in English', bn: 'ইংরেজি নোট' },
  { key: 'note_bn', en: 'Note in Bengali', bn: 'বাংলা নোট' },
  { key: 'search_aliases', en: 'Other spellings', bn: 'অন্য বানান' },
  { key: 'description_en', en: 'Description in English', bn: 'ইংরেজি বিবরণ' },
  { key: 'description_bn', en: 'Description in Bengali', bn: 'বাংলা বিবরণ' },
]

const fold = (text: string) => latinDigits(compose(text).trim().toLowerCase()).replace(/[\s_]+/g, ' ')

/** The longest heading or choice that can be a known one. */
const MAX_WORD = 200

/** Words as people write them, compared without regard to case and spaces. */
export const isSameWord = (a: string, b: string) => a.length <= MAX_WORD && b.length <= MAX_WORD && fold(a) === fold(b)

const BY_HEADING = new Map(
  CSV_COLUMNS.toReversed().flatMap((column) =>
    [column.key, column.en, column.bn, ...(column.formerly ?? [])].map((name) => [fold(name), column] as const),
  ),
)

/** The column of a heading in either language, or by its key; null for one that is not known. */
export function columnOf(heading: string): CsvColumn | null {
  return heading.length <= MAX_WORD ? (BY_HEADING.get(fold(heading)) ?? null) : null
}

/** The key of a word, or null when it is none of the column's. */
export function choiceOf(choices: Record<string, Words>, word: string): string | null {
  return Object.entries(choices).find(([key, { en, bn }]) => [key, en, bn].some((name) => isSameWord(name, word)))?.[0] ?? null
}

/** A spreadsheet program would make a rounded number of it. */
const LONG_NUMBER = /^\d{12,}$/
const needsSign = (text: string) => MISREAD.test(text) || LONG_NUMBER.test(text)

/** A text as it stands in a file: what a program would misread begins with an apostrophe, and so does what begins like that already. */
export function toCell(text: string): string {
  const bare = text.replace(/^'+/, '')
  // A barcode may look like a phone, and is to come back without a hyphen.
  return (text.startsWith("'") && needsSign(bare)) || LONG_NUMBER.test(text) || PHONE.test(text) ? `'${text}` : text
}

/** The text of a cell, as `toCell` and the file's writer were given it. */
export function fromCell(cell: string): string {
  const text = cell.replaceAll('\r\n', '\n')
  return text.startsWith("'") && needsSign(text.replace(/^'+/, '')) ? text.slice(1) : text
}
