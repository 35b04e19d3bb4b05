import type { Settings } from '#features/settings/settings.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { type Lang, LANGS } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Email } from './gateway.ts'
import { toEmail } from './order-email.server.ts'
import type { ClaimedEmail } from './outbox.server.ts'

/** Above this age of the last backup the staff are alarmed: a nightly one and two hours. */
export const MAX_BACKUP_HOURS = 26

export const ALARMS = ['advances', 'sms', 'backup'] as const
export type Alarm = (typeof ALARMS)[number]

const PAGES: Record<Alarm, string> = { advances: '/admin/advances', sms: '/admin/sms', backup: '/admin' }

/** The email of an alarm, in Bengali and English: staff have no stored language. It names no customer and no secret. */
export function alarmEmail(claimed: ClaimedEmail, settings: Settings, publicUrl: string): Email | string {
  const alarm = ALARMS.find((known) => known === claimed.detail.alarm)
  if (alarm === undefined) return 'unknown-alarm'
  const count = Number(claimed.detail.count ?? 0)
  const [bn, en] = [translate('bn'), translate('en')]
  const subject = `${bn(`email.alarm.${alarm}.subject`)} · ${en(`email.alarm.${alarm}.subject`)}`
  const content = {
    lang: 'bn' as const,
    shopName: settings.shop.name.bn,
    subject: `${settings.shop.name.bn}: ${subject}`,
    heading: subject,
    intro: LANGS.toReversed().map((lang) => alarmText(alarm, count, lang)),
    items: [],
    sums: [],
    details: [],
    link: { href: publicUrl + PAGES[alarm], label: `${bn('email.alarm.link')} · ${en('email.alarm.link')}` },
    footer: LANGS.toReversed().map((lang) => translate(lang)('email.alarm.footer')),
  }
  return toEmail(claimed, content, settings, publicUrl)
}

function alarmText(alarm: Alarm, count: number, lang: Lang): string {
  const t = translate(lang)
  const number = (value: number) => localizeDigits(lang, String(value))
  if (alarm === 'advances') return t('email.alarm.advances.text', { count: number(count) })
  return alarm === 'sms' ? t('email.alarm.sms.text') : t('email.alarm.backup.text', { hours: number(MAX_BACKUP_HOURS) })
}
