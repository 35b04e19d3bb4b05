import type { Bilingual } from '../settings/settings.ts'
import type { Sex } from './trait-keys.ts'

/** The sexes that cattle are traded by; products.sex holds one of the keys. */
export const SEXES = {
  bull: { en: 'Bull', bn: 'ষাঁড়' },
  ox: { en: 'Ox', bn: 'বলদ' },
  cow: { en: 'Cow', bn: 'গাভী' },
  heifer: { en: 'Heifer', bn: 'বকনা' },
} satisfies Record<Sex, Bilingual>
