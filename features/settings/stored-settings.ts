import { DEFAULT_SETTINGS, type Settings } from './settings.ts'

/**
 * Merges the stored settings over the defaults, so that a new setting needs no migration. Stored values of another type than the default's
 * and unknown keys are ignored.
 */
export function settingsFrom(stored: Record<string, unknown>): Settings {
  return mergeOver(DEFAULT_SETTINGS, stored) as Settings
}

function mergeOver(standard: unknown, stored: unknown): unknown {
  if (!isRecord(standard)) return typeof stored === typeof standard ? stored : standard
  if (!isRecord(stored)) return standard
  return Object.fromEntries(Object.entries(standard).map(([key, value]) => [key, mergeOver(value, stored[key])]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
