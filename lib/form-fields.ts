// Form fields as zod schemas of typed input. Error messages are message keys, which the caller translates.
import { z } from 'zod'
import { ID_DIGITS, SHORT_ID_DIGITS } from '#lib/format/id.ts'
import { MAX_AMOUNT, parseAmount, type Poisha, readTaka } from './format/money.ts'
import { MAX_TYPED_PHONE_LENGTH } from './format/input-limits.ts'
import { normalizeNumber } from './format/numbers.ts'
import { normalizePhone } from './format/phone.ts'
import { isStorable, isTooLong, maxRawLength, sanitizeText, TEXT_LIMIT } from './format/text.ts'
import { dhakaInstant, isDay } from './format/time.ts'

/** The limits that a form in the browser reads from its schema: the length of a text, and whether it may be empty. */
export const textLimits = z.registry<{ maxLength: number; isRequired?: boolean }>()

/** The body of a request without fields. Forms without script send their token in it; other callers may leave it out. */
export const emptyBody = z.strictObject({}).nullish()

/** A normalized text of at most `max` characters, possibly empty. A far longer input is rejected before it is normalized. */
export function textField(max = TEXT_LIMIT) {
  return z
    .string({ error: 'field.required' })
    .max(maxRawLength(max), { error: 'field.too-long', abort: true })
    .refine(isStorable, { error: 'field.text' })
    .transform(sanitizeText)
    .refine((text) => !isTooLong(text, max), { error: 'field.too-long', abort: true })
    .register(textLimits, { maxLength: max })
}

/** A text that must not be empty. */
export function requiredText(max = TEXT_LIMIT) {
  return textField(max)
    .refine((text) => text !== '', { error: 'field.required' })
    .register(textLimits, { maxLength: max, isRequired: true })
}

/** A phone as typed; becomes the normalized number. `error`: the message for another text. */
export function phoneField(error: string) {
  return requiredText(MAX_TYPED_PHONE_LENGTH).transform((typed, context) => {
    const phone = normalizePhone(typed)
    if (phone !== null) return phone
    context.addIssue({ code: 'custom', message: error })
    return z.NEVER
  })
}

/** One of the keys of a table of choices. */
export function keyField<Key extends string>(choices: Readonly<Record<Key, unknown>>) {
  return z.enum(Object.keys(choices) as Key[], { error: 'field.choose' })
}

/** An amount of taka from zero to `max` poisha, as a JSON number or as typed (Bengali digits, grouping commas, ৳); becomes poisha. */
export function takaField(max: number = MAX_AMOUNT) {
  return takaBetween(0, max)
}

/** The same, above zero and up to `MAX_AMOUNT`. */
export function positiveTakaField() {
  return takaBetween(1, MAX_AMOUNT)
}

/** The same, from minus to plus `MAX_AMOUNT`. */
export function signedTakaField() {
  return takaBetween(-MAX_AMOUNT, MAX_AMOUNT)
}

function takaBetween(min: number, max: number) {
  return z.union([z.number(), z.string()], { error: 'field.taka' }).transform((value, context): Poisha => {
    const amount = typeof value === 'number' ? readTaka(value) : parseAmount(value)
    if (amount !== null && amount >= min && amount <= max) return amount
    context.addIssue({ code: 'custom', message: typeof value === 'string' && value.trim() === '' ? 'field.required' : 'field.taka' })
    return z.NEVER
  })
}

/** The same, but an empty or missing field is null. */
export function optionalTakaField(max: number = MAX_AMOUNT) {
  return z.preprocess(
    (value) => (value === undefined || (typeof value === 'string' && value.trim() === '') ? null : value),
    takaField(max).nullable(),
  )
}

/** A number with at most two decimals, as a JSON number or as typed; becomes hundredths. `error`: the message for anything else. */
export function hundredthsField(min: number, max: number, error: string) {
  return z.union([z.number(), z.string()], { error }).transform((value, context): number => {
    const hundredths = typeof value === 'number' ? readTaka(value) : parseAmount(value)
    if (hundredths !== null && hundredths >= min && hundredths <= max) return hundredths
    context.addIssue({ code: 'custom', message: error })
    return z.NEVER
  })
}

/** A whole number between two bounds, as a JSON number or as typed, with or without grouping commas. */
export function wholeField(min: number, max: number) {
  return z.union([z.number(), z.string()], { error: 'field.whole' }).transform((value, context) => {
    const text = normalizeNumber(String(value))
    const isWhole = /^-?(\d{1,15}|\d{1,3}(,\d{2,3}){0,4},\d{3})$/.test(text)
    const whole = isWhole ? Number(text.replaceAll(',', '')) : Number.NaN
    if (whole >= min && whole <= max) return whole
    context.addIssue({ code: 'custom', message: text === '' ? 'field.required' : 'field.whole' })
    return z.NEVER
  })
}

/** A field that may stay empty: a missing value or an empty text becomes null. */
export function nullWhenEmpty<Field extends z.ZodType>(field: Field) {
  return z.preprocess((value) => (value === undefined || value === '' ? null : value), field.nullable())
}

/** Whether the year of a day is likely: two digits typed into a date field are the year 26. */
export function hasLikelyYear(day: string): boolean {
  return day.startsWith('20')
}

/** A day of this century as YYYY-MM-DD. */
export function dayField() {
  return z.string({ error: 'field.day' }).refine(isDay, { error: 'field.day', abort: true }).refine(hasLikelyYear, { error: 'field.year' })
}

/** A local time of Dhaka from 2000 on as YYYY-MM-DDTHH:MM (an HTML `datetime-local` input); becomes the instant. */
export function momentField() {
  return (
    z
      .string({ error: 'field.moment' })
      .refine((text) => /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/.test(text) && isDay(text.slice(0, 10)), {
        error: (issue) => (issue.input === '' ? 'field.required' : 'field.moment'),
        abort: true,
      })
      // A far end means for ever.
      .refine((text) => text >= '2000', { error: 'field.year' })
      .transform((text) => dhakaInstant(text.slice(0, 10), text.slice(11)))
  )
}

/** The largest `integer` of PostgreSQL. */
export const MAX_INTEGER = 2_147_483_647

const positiveInteger = (max: number, error?: string) =>
  z
    .number(error === undefined ? undefined : { error })
    .int()
    .positive()
    .max(max)

/** The version of the row that the form was loaded from, for `updateVersioned`. */
export const versionField = positiveInteger(MAX_INTEGER, 'field.version')

/** The id of a row in a JSON body. `error`: the message key for another type. */
export const idField = (error?: string) => positiveInteger(Number.MAX_SAFE_INTEGER, error)

/** The same for tables whose ids are integers. */
export const shortIdField = (error?: string) => positiveInteger(MAX_INTEGER, error)

/** The id of a row as a text of a URL. */
export const idText = z.string().regex(ID_DIGITS).transform(Number)

/** The id of a row in a path. */
export const idParams = z.object({ id: idText })

/** The same for tables whose ids are integers. */
export const shortIdParams = z.object({
  id: z.string().regex(SHORT_ID_DIGITS).transform(Number),
})

/** The key of an order from the link of an SMS, for `mayOpenOrder`. */
export const viewKeyField = z.string().max(100)

/** The query of a call about an order: its key, where the page was opened by one. */
export const viewKeyQuery = z.object({ key: viewKeyField.optional() })
