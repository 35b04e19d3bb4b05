import type { Bilingual } from '../settings/settings.ts'
import type { Coat } from './trait-keys.ts'

/** The coats an animal is described by; products.coat holds one of the keys. */
export const COATS = {
  red: { en: 'Red', bn: 'লাল' },
  brown: { en: 'Brown', bn: 'বাদামি' },
  fawn: { en: 'Fawn', bn: 'হালকা বাদামি' },
  black: { en: 'Black', bn: 'কালো' },
  white: { en: 'White', bn: 'সাদা' },
  grey: { en: 'Grey', bn: 'ধূসর' },
  pied: { en: 'Black and white', bn: 'সাদা-কালো' },
  'red-pied': { en: 'Red and white', bn: 'লাল-সাদা' },
} satisfies Record<Coat, Bilingual>
