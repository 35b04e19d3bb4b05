import geo from './data/bd-geo.json' with { type: 'json' }
import type { District, Place } from './districts-rules.ts'

interface Unit {
  en: string
  bn: string
  aliases?: string[]
}

function place({ en, bn, aliases = [] }: Unit): Place {
  return aliases.length > 0 ? { en, bn, also: aliases } : { en, bn }
}

const byName = (a: Place, b: Place) => (a.en < b.en ? -1 : 1)

/** The 64 districts with their upazilas and city thanas, by English name (data/bd-geo.json, licence beside it). */
export const DISTRICTS: readonly District[] = geo.divisions
  .flatMap((division) => division.districts)
  .map((district) => ({ ...place(district), thanas: district.areas.map(place).sort(byName) }))
  .sort(byName)

/** What a browser fetches of them. */
export const DISTRICTS_JSON = JSON.stringify(DISTRICTS)
