// Form fields that only the product form has.
import { z } from 'zod'
import { MAX_BARCODE_LENGTH, MAX_PICTURES, MAX_PRICE, MAX_TAG_LENGTH, MAX_VIDEO_LINK_LENGTH, MAX_VIDEOS } from '#features/catalog/limits.ts'
import { MAX_QUANTITY_MILLI } from '#features/catalog/quantity-rules.ts'
import { videoOf } from '#features/catalog/ui/video.ts'
import { latinDigits, toMilli } from '#lib/format/numbers.ts'
import { hasLikelyYear } from '#lib/form-fields.ts'
import { isDay } from '#lib/format/time.ts'

const typed = (error: string) =>
  z.union([z.number(), z.string(), z.null()], { error }).transform((value) => latinDigits(String(value ?? '').trim()))

/**
 * A typed decimal with at most `places` decimals; becomes a whole number of the smallest unit, null when empty. Commas group digits as in
 * `parseAmount`: a decimal comma (`89,50`) is an error, not a hundredfold price. `sign` may stand before the digits.
 */
export function decimalField({ places, max, error, sign = '' }: { places: 0 | 1 | 2 | 3; max: number; error: string; sign?: string }) {
  const shape = new RegExp(`^(\\d{1,9}|\\d{1,3}(,\\d{2,3})*,\\d{3})${places > 0 ? `(\\.\\d{1,${places}})?` : ''}$`)
  return typed(error).transform((typed, context): number | null => {
    if (typed === '') return null
    const text = typed.startsWith(sign) ? typed.slice(sign.length).trim() : typed
    const value = shape.test(text) ? Math.round(Number(text.replaceAll(',', '')) * 10 ** places) : Number.NaN
    if (value <= max) return value
    context.addIssue({ code: 'custom', message: error })
    return z.NEVER
  })
}

/** An optional amount of taka; becomes poisha. */
export const optionalTaka = decimalField({ places: 2, max: MAX_PRICE, error: 'field.taka', sign: '৳' })

/** An amount of taka that is zero when empty. */
export const takaOrZero = optionalTaka.transform((poisha) => poisha ?? 0)

/** A typed quantity; becomes thousandths, null when empty. */
export const quantityField = decimalField({ places: 3, max: 1_000_000_000, error: 'products.count-bad' })

const MAX_SIZES = 12
/** Room for all sizes at their longest, with separators and blanks. */
const MAX_SIZES_TEXT = 300

/** Pack sizes as typed, `5, 10, 20`; become thousandths, ascending, without repeats. None is larger than the quantity of an order. */
export const sizesField = z
  .string({ error: 'products.sizes-bad' })
  .max(MAX_SIZES_TEXT, { error: 'products.sizes-bad' })
  .transform((text, context): number[] => {
    const parts = latinDigits(text)
      .split(/[,;\s]+/)
      .filter(Boolean)
    const sizes = parts.map((part) => (/^\d{1,6}(\.\d{1,3})?$/.test(part) ? toMilli(Number(part)) : Number.NaN))
    if (parts.length <= MAX_SIZES && sizes.every((size) => size > 0 && size <= MAX_QUANTITY_MILLI))
      return [...new Set(sizes)].sort((a, b) => a - b)
    context.addIssue({ code: 'custom', message: 'products.sizes-bad' })
    return z.NEVER
  })

const orNull = (text: string) => (text === '' ? null : text)

export const barcodeField = typed('products.barcode-bad')
  .refine((text) => text === '' || (/^[0-9A-Za-z-]{4,}$/.test(text) && text.length <= MAX_BARCODE_LENGTH), {
    error: 'products.barcode-bad',
  })
  .transform(orNull)

export const tagField = typed('products.tag-bad')
  .transform((text) => text.toUpperCase())
  .refine((text) => text === '' || (/^[0-9A-Z-]+$/.test(text) && text.length <= MAX_TAG_LENGTH), { error: 'products.tag-bad' })
  .transform(orNull)

const dateText = z.union([z.string(), z.null()], { error: 'field.day' }).transform((text) => latinDigits(text ?? ''))

const isLikely = (day: string) => day === '' || hasLikelyYear(day)

export const optionalDay = dateText
  .refine((text) => text === '' || isDay(text), { error: 'field.day', abort: true })
  .refine(isLikely, { error: 'field.year' })
  .transform(orNull)

/** A month as YYYY-MM or a day of it; becomes the first day of the month. */
export const monthField = dateText
  .transform((text) => (/^\d{4}-\d{2}(-\d{2})?$/.test(text) ? `${text.slice(0, 7)}-01` : text))
  .refine((text) => text === '' || isDay(text), { error: 'products.month-bad', abort: true })
  .refine(isLikely, { error: 'field.year' })
  .transform(orNull)

/** The URL of a video that the shop can show: an uploaded file, or YouTube. The server never fetches it. */
const videoField = z
  .string({ error: 'products.video-bad' })
  .max(MAX_VIDEO_LINK_LENGTH, { error: 'products.video-bad' })
  .transform((text) => text.trim())
  .refine((text) => videoOf(text) !== null, { error: 'products.video-bad' })

const choice = { error: 'field.choose' }

export const pictureIds = z.array(z.number(choice).int().positive(), choice).max(MAX_PICTURES, { error: 'products.pictures-many' })

export const videosField = z.array(videoField).max(MAX_VIDEOS, { error: 'products.videos-many' })
