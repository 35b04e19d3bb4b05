import type { Settings } from './settings.ts'

/** The parts of the settings, each a form of its own. */
export const SETTINGS_PARTS = [
  'shop',
  'about',
  'notices',
  'payments',
  'orders',
  'delivery',
  'pos',
  'animals',
  'messages',
  'email',
  'analytics',
  'scales',
  'security',
  'backup',
] as const

export type SettingsPart = (typeof SETTINGS_PARTS)[number]

/** How many days before delivery the animals of a category are weighed for the last time. */
export interface FinalWeighing {
  id: number
  name_en: string
  name_bn: string
  days: number
}

/** The values of a part as its form shows them. */
export type SettingsValues = Partial<Settings> & { final_weighing?: { id: number; days: number }[] }
