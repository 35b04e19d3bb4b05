// Days and times of Asia/Dhaka: always +06:00, computed without time zone settings or ICU.
import type { Lang } from '../i18n/lang.ts'
import { localizeDigits } from './numbers.ts'

export const HOUR_MS = 3_600_000
export const HOUR_SECONDS = 3600
export const DAY_SECONDS = 86_400
export const DAY_MS = DAY_SECONDS * 1000
const DHAKA_OFFSET_MS = 6 * HOUR_MS

const MONTHS: Record<Lang, readonly string[]> = {
  en: ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'],
  bn: ['জানুয়ারি', 'ফেব্রুয়ারি', 'মার্চ', 'এপ্রিল', 'মে', 'জুন', 'জুলাই', 'আগস্ট', 'সেপ্টেম্বর', 'অক্টোবর', 'নভেম্বর', 'ডিসেম্বর'],
}

/** The calendar day in Dhaka at an instant, as YYYY-MM-DD. */
export function dhakaDate(instant: Date): string {
  return shifted(instant).slice(0, 10)
}

/** The time of day in Dhaka at an instant, as HH:MM (24 hours). */
export function dhakaTime(instant: Date): string {
  return shifted(instant).slice(11, 16)
}

function shifted(instant: Date): string {
  return new Date(instant.getTime() + DHAKA_OFFSET_MS).toISOString()
}

/** The instant of a day and time (HH:MM) in Dhaka; without a time the start of the day. */
export function dhakaInstant(on: string, time = '00:00'): Date {
  return new Date(Date.parse(`${on}T${time}:00Z`) - DHAKA_OFFSET_MS)
}

/** An instant as local time of Dhaka for an HTML `datetime-local` input: YYYY-MM-DDTHH:MM. */
export function dhakaMoment(instant: Date): string {
  return shifted(instant).slice(0, 16)
}

/** Whether a text is a real day written YYYY-MM-DD. PostgreSQL has no year 0, and the day after the year 9999 is written otherwise. */
export function isDay(text: string): boolean {
  if (!/^(?!0000|9999)\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const parsed = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(text)
}

/** The day so many days later (or earlier, when negative). */
export function addDays(on: string, days: number): string {
  return new Date(Date.parse(on) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The days from one day to another, negative when that is earlier. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS
}

/** The same time of the clock some days before. */
export function daysBefore(instant: Date, days: number): Date {
  return new Date(instant.getTime() - days * DAY_MS)
}

/** The same day so many months later; the month's last day when it has no such day. */
export function addMonths(on: string, months: number): string {
  const [year = 0, month = 1, day = 1] = on.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastDay))).toISOString().slice(0, 10)
}

// Dates are shown without the year when they are less than six months from today: the same day of another year is farther away. Legal
// documents show their date of issue in full, the last orders of customers two digits of the year.

let shopDay = ''

/** The day by the clock of the shop, in a page that a browser shows. The clock of the device may be wrong by years. */
export function setShopDay(day: string): void {
  shopDay = day
}

/** The day in the shop: that of the page in a browser, else of the clock. */
export const shopToday = () => shopDay || dhakaDate(new Date())

/** `29 Apr`, `২৯ এপ্রিল`; with the year (`29 Apr 2025`) from six months on. */
export function formatDay(on: string, lang: Lang, today = shopToday()): string {
  const { month, day } = parts(on)
  const name = MONTHS[lang][month - 1] ?? ''
  return localizeDigits(lang, `${day} ${lang === 'en' ? name.slice(0, 3) : name}${yearOf(on, today)}`)
}

/** Always with the year in two digits: `29 Apr 25`, `২৯ এপ্রিল ২৫`. */
export function formatShortDay(on: string, lang: Lang): string {
  const { year, month, day } = parts(on)
  const name = MONTHS[lang][month - 1] ?? ''
  return localizeDigits(lang, `${day} ${lang === 'en' ? name.slice(0, 3) : name} ${year.slice(2)}`)
}

/** `29 April`, `২৯ এপ্রিল`; with the year (`29 April 2025`) from six months on. */
export function formatLongDay(on: string, lang: Lang, today = shopToday()): string {
  const { month, day } = parts(on)
  return localizeDigits(lang, `${day} ${MONTHS[lang][month - 1] ?? ''}${yearOf(on, today)}`)
}

/** One or more days in a sentence: `24 November and 4 December`. */
export function formatLongDays(days: readonly string[], lang: Lang): string {
  return days.map((day) => formatLongDay(day, lang)).join(lang === 'bn' ? ' ও ' : ' and ')
}

/** Always with the year: `29 April 2025`, `২৯ এপ্রিল ২০২৫`. */
export function formatFullDay(on: string, lang: Lang): string {
  const { year, month, day } = parts(on)
  return localizeDigits(lang, `${day} ${MONTHS[lang][month - 1] ?? ''} ${year}`)
}

function yearOf(on: string, today: string): string {
  const [day, now] = [parts(on), parts(today)]
  const months = (Number(day.year) - Number(now.year)) * 12 + day.month - now.month
  const isNear = Math.abs(months) < 6 || (months === 6 ? day.day < now.day : months === -6 && day.day > now.day)
  return isNear ? '' : ` ${day.year}`
}

/** A month written YYYY-MM: `April 2025`, `এপ্রিল ২০২৫`. */
export function formatMonth(on: string, lang: Lang): string {
  const { year, month } = parts(on)
  return localizeDigits(lang, `${MONTHS[lang][month - 1] ?? ''} ${year}`)
}

/** `29 Apr, 9:30 pm`, `২৯ এপ্রিল, রাত ৯:৩০`; with the year from six months on. */
export function formatDateTime(instant: Date, lang: Lang, today = shopToday()): string {
  return `${formatDay(dhakaDate(instant), lang, today)}, ${formatTime(dhakaTime(instant), lang)}`
}

/** A `dhakaMoment` in the form of `formatDateTime`. */
export function formatMoment(moment: string, lang: Lang): string {
  return formatDateTime(dhakaInstant(moment.slice(0, 10), moment.slice(11)), lang)
}

/** Always with the year: `29 April 2025, 9:30 pm`. */
export function formatFullDateTime(instant: Date, lang: Lang): string {
  return `${formatFullDay(dhakaDate(instant), lang)}, ${formatTime(dhakaTime(instant), lang)}`
}

/** A time HH:MM in words of the language: `9:30 pm`, `রাত ৯:৩০`. */
export function formatTime(time: string, lang: Lang): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const clock = `${hour % 12 === 0 ? 12 : hour % 12}:${String(minute).padStart(2, '0')}`
  return lang === 'en' ? `${clock} ${hour < 12 ? 'am' : 'pm'}` : `${partOfDay(hour)} ${localizeDigits('bn', clock)}`
}

/** A whole hour (0 to 24) in a sentence: `9 pm`, `রাত ৯টা`. */
export function formatHour(hour: number, lang: Lang): string {
  const clock = localizeDigits(lang, String(hour % 12 === 0 ? 12 : hour % 12))
  return lang === 'en' ? `${clock} ${hour % 24 < 12 ? 'am' : 'pm'}` : `${partOfDay(hour)} ${clock}টা`
}

function partOfDay(hour: number): string {
  if (hour < 4) return 'রাত'
  if (hour < 6) return 'ভোর'
  if (hour < 12) return 'সকাল'
  if (hour < 15) return 'দুপুর'
  if (hour < 18) return 'বিকেল'
  if (hour < 20) return 'সন্ধ্যা'
  return 'রাত'
}

function parts(on: string): { year: string; month: number; day: number } {
  const [year = '', month = '', day = ''] = on.split('-')
  return { year, month: Number(month), day: Number(day) }
}
