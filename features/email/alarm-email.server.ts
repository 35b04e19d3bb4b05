import { MAX_BACKUP_HOURS } from '#features/backup/schedule-rules.ts'
import { derivedUrl } from '#lib/files/derived-picture.ts'
import type { Settings } from '#features/settings/settings.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { type Lang, LANGS } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Email } from './gateway.ts'
import { toEmail } from './order-email.server.ts'
import type { ClaimedEmail } from './outbox.server.ts'

export const ALARMS = ['advances', 'areas', 'sms', 'backup', 'jobs'] as const
export type Alarm = (typeof ALARMS)[number]

const PAGES: Record<Alarm, string> = {
  advances: '/admin/advances',
  areas: '/admin/area-requests?state=new',
  sms: '/admin/sms',
  backup: '/admin/backups',
  jobs: '/admin/health',
}

/** The email of an alarm, in Bengali and English: staff have no stored language. It names no customer and no secret. */
export function alarmEmail(claimed: ClaimedEmail, settings: Settings, publicUrl: string): Email | string {
  const alarm = ALARMS.find((known) => known === claimed.detail.alarm)
  if (alarm === undefined) return 'unknown-alarm'
  const count = claimed.detail.count ?? 0
  const [bn, en] = [translate('bn'), translate('en')]
  const subject = `${bn(`email.alarm.${alarm}.subject`)} · ${en(`email.alarm.${alarm}.subject`)}`
  const content = {
    lang: 'bn' as const,
    shopName: settings.shop.name.bn,
    logoUrl: settings.logo && publicUrl + derivedUrl(settings.logo.picture, 'logo'),
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
  switch (alarm) {
    case 'advances':
      return t('email.alarm.advances.text', { count: number(count) })
    case 'areas':
      return t('email.alarm.areas.text', { count: number(count) })
    case 'sms':
      return t('email.alarm.sms.text')
    case 'backup':
      return t('email.alarm.backup.text', { hours: number(MAX_BACKUP_HOURS) })
    case 'jobs':
      return t('email.alarm.jobs.text', { count: number(count) })
  }
}
