// Rules of a campaign's text.
//
// A person gets the language of the latest order; where the campaign has no text in it, the other one. Each SMS ends with the link that stops
// campaigns. Texts have no {fields}, so that all SMS of a language have the same number of parts.
import { MAX_SMS_PARTS, smsSize, toGsmText } from '#features/settings/sms/text-rules.ts'
import type { Lang } from '#lib/i18n/lang.ts'

export type CampaignTexts = Record<Lang, string>

/** Both languages are here because the form shows both. */
const STOP: Record<Lang, string> = { en: 'Stop SMS:', bn: 'না চাইলে:' }

/** The language in which a person gets the campaign; null when it has no text. */
export function sentLang(texts: CampaignTexts, lang: Lang): Lang | null {
  if (texts[lang] !== '') return lang
  const other = lang === 'en' ? 'bn' : 'en'
  return texts[other] === '' ? null : other
}

/** A text as it is sent, with the link that stops campaigns. */
export function campaignSms(text: string, lang: Lang, link: string): string {
  return `${lang === 'en' ? toGsmText(text) : text}\n${STOP[lang]} ${link}`
}

/** The SMS parts that one person of a language is charged; 0 without a text. */
export function partsOf(texts: CampaignTexts, lang: Lang, link: string): number {
  const used = sentLang(texts, lang)
  return used === null ? 0 : smsSize(campaignSms(texts[used], used, link)).parts
}

/** The SMS parts of a whole campaign. */
export function campaignParts(texts: CampaignTexts, people: Record<Lang, number>, link: string): number {
  return people.en * partsOf(texts, 'en', link) + people.bn * partsOf(texts, 'bn', link)
}

export type TextError = 'text-required' | 'bengali-required' | 'too-long' | 'field'

/** A field as texts about orders have it: a campaign would send it in its braces. */
const FIELD = /\{\s*[a-z_]+\s*\}/i

/**
 * The errors of a campaign's texts by language. The Bengali text may be missing only where the shop sends English SMS: a named sender may be
 * bound to Bengali.
 */
export function textErrors(texts: CampaignTexts, sendsEnglish: boolean, link: string): Partial<Record<Lang, TextError>> {
  if (texts.bn === '' && texts.en === '') return { bn: 'text-required' }
  const isTooLong = (lang: Lang) => texts[lang] !== '' && smsSize(campaignSms(texts[lang], lang, link)).parts > MAX_SMS_PARTS
  const errorOf = (lang: Lang): TextError | null => (FIELD.test(texts[lang]) ? 'field' : isTooLong(lang) ? 'too-long' : null)
  const [en, bn] = [errorOf('en'), errorOf('bn') ?? (texts.bn === '' && !sendsEnglish ? 'bengali-required' : null)]
  return { ...(en ? { en } : {}), ...(bn ? { bn } : {}) }
}
