const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** An age in its largest unit: the text's key and its number; null for the first moments. */
export function ageOf(seconds: number) {
  if (seconds < 5) return null
  if (seconds < MINUTE) return { key: 'sms.age.seconds', n: seconds } as const
  if (seconds < HOUR) return { key: 'sms.age.minutes', n: Math.floor(seconds / MINUTE) } as const
  if (seconds < DAY) return { key: 'sms.age.hours', n: Math.floor(seconds / HOUR) } as const
  return { key: 'sms.age.days', n: Math.floor(seconds / DAY) } as const
}
