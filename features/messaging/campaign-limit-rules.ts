// The SMS that may be sent on a day, and the part of it that campaigns and notices of products may use.
import { isQuiet, type QuietHours } from '#features/settings/sms/quiet-rules.ts'

/** SMS parts of a day that campaigns and notices may bring the count to: four fifths of the budget. The rest is for messages about orders. */
export function campaignDailyLimit(dailyLimit: number): number {
  return Math.floor((dailyLimit * 4) / 5)
}

/** The same at a moment: none in quiet hours. */
export function campaignLimitAt(now: Date, { sms_daily_limit, quiet_hours }: { sms_daily_limit: number; quiet_hours: QuietHours }): number {
  return isQuiet(now, quiet_hours) ? 0 : campaignDailyLimit(sms_daily_limit)
}

/** The limits of the sender at a moment. */
export function smsLimitsAt(now: Date, settings: Parameters<typeof campaignLimitAt>[1]): { daily: number; campaign: number } {
  return { daily: settings.sms_daily_limit, campaign: campaignLimitAt(now, settings) }
}
