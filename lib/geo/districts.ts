import list from './districts.json' with { type: 'json' }

export interface DistrictName {
  en: string
  bn: string
  /** Older or other spellings. */
  aliases?: string[]
}

/** The 64 districts of Bangladesh by English name. Source and licence: features/kurbani/data/bd-geo.LICENSE.txt. */
export const DISTRICT_NAMES: readonly DistrictName[] = list
