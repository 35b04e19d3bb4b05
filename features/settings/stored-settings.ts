import { type Lang, LANGS } from '#lib/i18n/lang.ts'
import { type Bilingual, DEFAULT_SETTINGS, type Settings } from './settings.ts'
import { SMS_TEMPLATES, type SmsTemplate } from './sms/template-rules.ts'

/**
 * Merges the stored settings over the defaults, so that a new setting needs no migration. Stored values of another type than the default's
 * and unknown keys are ignored. SMS texts that the owner has not changed begin with the name of the shop.
 */
export function settingsFrom(stored: Record<string, unknown>): Settings {
  const settings = mergeOver(DEFAULT_SETTINGS, stored) as Settings
  return { ...settings, messages: withShopName(settings) }
}

function withShopName({ shop, messages }: Settings): Settings['messages'] {
  const texts = structuredClone(messages)
  for (const template of SMS_TEMPLATES)
    for (const lang of LANGS)
      if (texts[template][lang] === DEFAULT_SETTINGS.messages[template][lang]) texts[template][lang] = named(template, lang, shop.name)
  return texts
}

/** The texts that the owner has changed. Others are not stored, so that they follow a new name of the shop and a new release. */
export function changedTexts(messages: Settings['messages'], name: Bilingual): Record<string, Partial<Bilingual>> {
  const isChanged = (template: SmsTemplate, lang: Lang) =>
    ![named(template, lang, name), DEFAULT_SETTINGS.messages[template][lang]].includes(messages[template][lang])
  return Object.fromEntries(
    SMS_TEMPLATES.map((template) => [
      template,
      Object.fromEntries(LANGS.filter((lang) => isChanged(template, lang)).map((lang) => [lang, messages[template][lang]])),
    ]),
  )
}

const named = (template: SmsTemplate, lang: Lang, name: Bilingual) =>
  DEFAULT_SETTINGS.messages[template][lang].replace(DEFAULT_SETTINGS.shop.name[lang], () => name[lang])

function mergeOver(standard: unknown, stored: unknown): unknown {
  if (!isRecord(standard)) return typeof stored === typeof standard ? stored : standard
  if (!isRecord(stored)) return standard
  return Object.fromEntries(Object.entries(standard).map(([key, value]) => [key, mergeOver(value, stored[key])]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
