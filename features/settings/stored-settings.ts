import { LANGS } from '#lib/i18n/lang.ts'
import { DEFAULT_SETTINGS, type Settings } from './settings.ts'

/**
 * Merges the stored settings over the defaults, so that a new setting needs no migration. Stored values of another type than the default's
 * and unknown keys are ignored. SMS texts that the owner has not changed begin with the name of the shop.
 */
export function settingsFrom(stored: Record<string, unknown>): Settings {
  const settings = mergeOver(DEFAULT_SETTINGS, stored) as Settings
  return { ...settings, messages: withShopName(settings) }
}

function withShopName({ shop, messages }: Settings): Settings['messages'] {
  const named = structuredClone(messages)
  for (const template of Object.keys(named) as (keyof typeof named)[])
    for (const lang of LANGS)
      if (named[template][lang] === DEFAULT_SETTINGS.messages[template][lang])
        named[template][lang] = named[template][lang].replace(DEFAULT_SETTINGS.shop.name[lang], () => shop.name[lang])
  return named
}

function mergeOver(standard: unknown, stored: unknown): unknown {
  if (!isRecord(standard)) return typeof stored === typeof standard ? stored : standard
  if (!isRecord(stored)) return standard
  return Object.fromEntries(Object.entries(standard).map(([key, value]) => [key, mergeOver(value, stored[key])]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
