import type { Lang } from '../i18n/lang.ts'
import { formatLongDay } from './time.ts'

/** The names of the days of the week, Sunday first. */
export const WEEKDAYS: Record<Lang, readonly string[]> = {
  en: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  bn: ['রবিবার', 'সোমবার', 'মঙ্গলবার', 'বুধবার', 'বৃহস্পতিবার', 'শুক্রবার', 'শনিবার'],
}

/** The name of the weekday of a day (YYYY-MM-DD). */
export function weekdayName(on: string, lang: Lang): string {
  return WEEKDAYS[lang][new Date(on).getUTCDay()] ?? ''
}

/** `Friday, 27 November`, `শুক্রবার, ২৭ নভেম্বর`. */
export function formatWeekday(on: string, lang: Lang): string {
  return `${weekdayName(on, lang)}, ${formatLongDay(on, lang)}`
}
