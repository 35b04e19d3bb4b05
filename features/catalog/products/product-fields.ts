// The fields of a product. Forms, columns, blank and copied products, files, the editor, audit labels, the API's extra fields and
// the particulars on public pages are derived from this list. Its order is the order of the columns in exported files.
import { z } from 'zod'
import { COATS } from '#features/catalog/coats.ts'
import { MAX_PRODUCT_NAME_LENGTH } from '#features/catalog/limits.ts'
import { MAX_SEASON_LENGTH } from '#features/settings/limits.ts'
import { SEXES } from '#features/catalog/sexes.ts'
import { PRODUCT_STATUSES } from '#features/catalog/rules.ts'
import { DISCOUNT_TYPES, type DiscountType, type ProductStatus, type Unit, UNITS } from '#features/catalog/types.ts'
import { nullWhenEmpty, keyField, MAX_INTEGER, requiredText, shortIdField, textField, wholeField } from '#lib/form-fields.ts'
import { DISTRICT_NAMES } from '#lib/geo/districts.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import { formatMonth } from '#lib/format/time.ts'
import { DISCOUNTS, KINDS, STATUS_WORDS, UNIT_WORDS, YES_NO } from './csv-words.ts'
import { type CsvHeading, dateText, field, hundredths, nullableText, plain } from './field-types.ts'
import * as forms from './form-fields.ts'
import type { ProductKind } from './product-rules.ts'
import { weightField } from './weight-field.ts'

const choice = { error: 'field.choose' }
const flag = z.boolean(choice)
/** One of the choices, or an empty text. */
const optionalChoice = <Key extends string>(choices: Record<Key, unknown>) => z.union([z.literal(''), keyField(choices)], choice)

const ANIMAL = ['animal'] as const

const DISTRICTS = Object.fromEntries(DISTRICT_NAMES.map(({ en, bn }) => [en, { en, bn }]))

/** A text that every product has, possibly empty. */
const text = (name: string, label: MessageKey, form: ReturnType<typeof textField>, csv: CsvHeading) =>
  field({ label, form, blank: '', column: plain<string>(name), csv })

/** An amount of taka; empty is none. */
const amount = (column: string, label: MessageKey, csv: CsvHeading) =>
  field({ label, form: forms.takaOrZero, blank: '', column: hundredths(column), csv, scale: 100 })

export const PRODUCT_FIELDS = {
  kind: field({
    label: 'products.kind',
    form: z.enum(['animal', 'goods'], choice),
    blank: (isAnimal): ProductKind => (isAnimal ? 'animal' : 'goods'),
    csv: { en: 'Type', bn: 'ধরন', formerly: ['Kind'] },
    choices: KINDS,
    isInitial: true,
  }),
  category_id: field({
    label: 'products.category',
    form: wholeField(1, MAX_INTEGER),
    blank: 0,
    column: plain<number>('category_id'),
    csv: { key: 'category', en: 'Category', bn: 'বিভাগ' },
  }),
  further_category_ids: field({
    label: 'products.further',
    form: z.array(shortIdField('field.choose'), choice).max(20),
    blank: (): number[] => [],
    csv: { key: 'further_categories', en: 'More categories', bn: 'আরও বিভাগ', formerly: ['Further categories'] },
  }),
  name_en: text('name_en', 'products.name-en', requiredText(MAX_PRODUCT_NAME_LENGTH), { en: 'Name in English', bn: 'ইংরেজি নাম' }),
  name_bn: text('name_bn', 'products.name-bn', requiredText(MAX_PRODUCT_NAME_LENGTH), { en: 'Name in Bengali', bn: 'বাংলা নাম' }),
  price: field({
    label: 'products.price',
    form: forms.optionalTaka,
    blank: '',
    column: hundredths('price_poisha'),
    csv: { en: 'Price', bn: 'দাম' },
    scale: 100,
  }),
  unit: field({
    label: 'products.unit',
    form: z.enum(UNITS, choice),
    blank: (isAnimal): Unit => (isAnimal ? 'piece' : 'kg'),
    column: plain<Unit>('unit'),
    csv: { en: 'Unit', bn: 'একক' },
    choices: UNIT_WORDS,
  }),
  discount_kind: field({
    label: 'products.discount-kind',
    form: z.enum(['none', ...DISCOUNT_TYPES], choice),
    blank: (): 'none' | DiscountType => 'none',
    column: {
      ...plain<'none' | DiscountType>('discount_kind'),
      read: `coalesce(p.discount_kind, 'none')`,
      write: (kind) => (kind === 'none' ? null : kind),
    },
    csv: { en: 'Discount type', bn: 'ছাড়ের ধরন', formerly: ['Kind of discount'] },
    choices: DISCOUNTS,
  }),
  /** Percent or taka. */
  discount: field({
    label: 'products.discount-value',
    form: forms.optionalTaka,
    blank: (): number | null => null,
    column: {
      ...hundredths<number | null>('discount_value'),
      write: (value, form) => (form.discount_kind === 'none' ? null : value),
    },
    csv: { en: 'Discount', bn: 'ছাড়' },
    scale: 100,
  }),
  sizes: field({
    label: 'products.sizes',
    form: forms.sizesField,
    blank: '',
    column: {
      ...plain<string>('sizes_milli'),
      read: `coalesce((select string_agg((milli::float8 / 1000)::text, ', ' order by position)
        from unnest(p.sizes_milli) with ordinality as s(milli, position)), '')`,
    },
    csv: { en: 'Pack sizes', bn: 'প্যাক সাইজ', formerly: ['Quantity steps', 'পরিমাণের ধাপ'] },
    scale: 1000,
  }),
  status: field({
    label: 'products.status',
    form: z.enum(PRODUCT_STATUSES, choice),
    blank: (): ProductStatus => 'in-stock',
    column: plain<ProductStatus>('status'),
    csv: { en: 'Status', bn: 'অবস্থা' },
    choices: STATUS_WORDS,
  }),
  visible: field({
    label: 'products.shown',
    form: flag,
    blank: true as boolean,
    column: plain<boolean>('visible'),
    csv: { en: 'Published', bn: 'প্রকাশিত', formerly: ['In the shop', 'দোকানে'] },
    choices: YES_NO,
  }),
  /** Units in stock; empty: not counted. */
  stock: field({
    label: 'products.stock',
    form: forms.quantityField,
    blank: '',
    csv: { en: 'Stock', bn: 'মজুত', formerly: ['মজুদ'] },
    isInitial: true,
  }),
  barcode: field({
    label: 'products.barcode',
    form: forms.barcodeField,
    blank: '',
    column: nullableText('barcode'),
    csv: { en: 'Barcode', bn: 'বারকোড' },
  }),
  tag_number: field({
    label: 'products.tag',
    form: forms.tagField,
    blank: '',
    column: nullableText('tag_number'),
    csv: { en: 'Tag number', bn: 'ট্যাগ নম্বর' },
    kinds: ANIMAL,
  }),
  breed_en: field({
    label: 'products.breed-en',
    form: textField(100),
    blank: '',
    column: nullableText('breed_en'),
    csv: { en: 'Breed in English', bn: 'জাত, ইংরেজিতে' },
    kinds: ANIMAL,
    particular: { label: 'product.breed', of: 'breed' },
  }),
  breed_bn: field({
    label: 'products.breed-bn',
    form: textField(100),
    blank: '',
    column: nullableText('breed_bn'),
    csv: { en: 'Breed in Bengali', bn: 'জাত, বাংলায়' },
    kinds: ANIMAL,
  }),
  sex: field({
    label: 'product.sex',
    form: optionalChoice(SEXES).default(''),
    blank: '',
    column: nullableText('sex'),
    csv: { en: 'Sex', bn: 'লিঙ্গ' },
    kinds: ANIMAL,
    choices: SEXES,
    detail: { schema: z.string().nullable() },
    particular: { label: 'product.sex' },
  }),
  coat: field({
    label: 'products.coat',
    form: optionalChoice(COATS),
    blank: '',
    column: nullableText('coat'),
    csv: { en: 'Colour', bn: 'গায়ের রং', formerly: ['Coat'] },
    kinds: ANIMAL,
    choices: COATS,
    detail: { schema: z.string().nullable() },
    particular: { label: 'product.coat' },
  }),
  teeth: field({
    label: 'products.teeth',
    form: forms.decimalField({ places: 0, max: 8, error: 'products.teeth-bad' }),
    blank: (): number | null => null,
    column: plain<number | null>('teeth'),
    csv: { en: 'Permanent teeth', bn: 'স্থায়ী দাঁত' },
    kinds: ANIMAL,
    detail: { schema: z.number().nullable() },
    particular: { label: 'product.teeth', text: (teeth: number, { t }) => t('product.teeth-count', { teeth }) },
  }),
  birth_month: field({
    label: 'products.birth-month',
    form: forms.monthField,
    blank: '',
    column: dateText('birth_month', 'YYYY-MM'),
    csv: { en: 'Birth month', bn: 'জন্মের মাস', formerly: ['Month of birth'] },
    kinds: ANIMAL,
    detail: { schema: z.iso.date().nullable() },
    particular: { label: 'product.born', text: (day: string, { lang }) => formatMonth(day.slice(0, 7), lang) },
  }),
  raised_in: field({
    label: 'product.raised-in',
    form: optionalChoice(DISTRICTS).default(''),
    blank: '',
    column: nullableText('raised_in'),
    csv: { en: 'Raised in', bn: 'যে জেলায় পালিত' },
    kinds: ANIMAL,
    choices: DISTRICTS,
    detail: {
      schema: z.string().nullable(),
      from: (district: string | null, lang) => (district ? (DISTRICTS[district]?.[lang] ?? null) : null),
    },
    particular: { label: 'product.raised-in', text: String },
  }),
  sold_by_live_weight: field({
    label: 'products.by-weight',
    form: flag,
    blank: (isAnimal): boolean => isAnimal,
    column: plain<boolean>('sold_by_live_weight', false),
    csv: { en: 'Sold by live weight', bn: 'লাইভ ওজনে বিক্রি', formerly: ['জীবন্ত ওজনে বিক্রি'] },
    kinds: ANIMAL,
    choices: YES_NO,
  }),
  season: field({
    label: 'products.season',
    form: textField(MAX_SEASON_LENGTH),
    blank: '',
    column: plain<string>('season', ''),
    csv: { en: 'Season', bn: 'মৌসুম' },
    kinds: ANIMAL,
  }),
  /** The first weighing of an animal. */
  weight_kg: field({
    label: 'products.weight',
    form: nullWhenEmpty(weightField),
    blank: '',
    csv: { en: 'Weight in kg', bn: 'ওজন (কেজি)' },
    isInitial: true,
  }),
  weighed_on: field({
    label: 'products.weighed-on',
    form: forms.optionalDay,
    blank: '',
    csv: { en: 'Weighed on', bn: 'ওজনের তারিখ' },
    isInitial: true,
  }),
  shipping_cost: amount('shipping_poisha', 'products.shipping', { en: 'Delivery charge', bn: 'ডেলিভারি চার্জ', formerly: ['ডেলিভারি খরচ'] }),
  advance_minimum: amount('advance_minimum_poisha', 'products.advance-minimum', {
    en: 'Minimum advance',
    bn: 'ন্যূনতম অগ্রিম',
    formerly: ['Least advance', 'সর্বনিম্ন অগ্রিম'],
  }),
  advance_percentage: field({
    label: 'products.advance-percentage',
    form: forms.decimalField({ places: 2, max: 10_000, error: 'products.percent-bad' }).transform((value) => value ?? 0),
    blank: '',
    column: hundredths('advance_percent_bp'),
    csv: { en: 'Advance (%)', bn: 'অগ্রিম (শতাংশ)', formerly: ['Advance in percent'] },
    scale: 100,
  }),
  advance_round_figure: amount('advance_round_poisha', 'products.advance-round', {
    en: 'Round advance to',
    bn: 'অগ্রিম রাউন্ড করুন',
    formerly: ['Advance in steps of', 'অগ্রিমের ধাপ'],
  }),
  coupon_applicable: field({
    label: 'products.coupon',
    form: flag,
    blank: (isAnimal): boolean => !isAnimal,
    column: plain<boolean>('coupon_applicable'),
    csv: { en: 'Coupons allowed', bn: 'কুপন প্রযোজ্য', formerly: ['Coupons count', 'কুপন চলবে'] },
    choices: YES_NO,
  }),
  delivery_on: field({
    label: 'products.delivery-on',
    form: forms.optionalDay,
    blank: '',
    column: dateText('delivery_on', 'YYYY-MM-DD'),
    csv: { en: 'Delivery date', bn: 'ডেলিভারির তারিখ' },
  }),
  note_en: text('note_en', 'products.note-en', textField(500), { en: 'Note in English', bn: 'ইংরেজি নোট' }),
  note_bn: text('note_bn', 'products.note-bn', textField(500), { en: 'Note in Bengali', bn: 'বাংলা নোট' }),
  search_aliases: text('search_aliases', 'products.aliases', textField(1000), { en: 'Other spellings', bn: 'অন্য বানান' }),
  description_en: text('description_en', 'products.description-en', textField(5000), { en: 'Description in English', bn: 'ইংরেজি বিবরণ' }),
  description_bn: text('description_bn', 'products.description-bn', textField(5000), { en: 'Description in Bengali', bn: 'বাংলা বিবরণ' }),
  picture_ids: field({ label: 'products.pictures', form: forms.pictureIds, blank: (): number[] => [] }),
  videos: field({ label: 'products.videos', form: forms.videosField, blank: (): string[] => [] }),
} as const
