import { DISTRICT_NAMES } from '#lib/geo/districts.ts'
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

const areas = new Map(geo.divisions.flatMap((division) => division.districts).map((district) => [district.en, district.areas]))

/** The 64 districts with their upazilas and city thanas, by English name (data/bd-geo.json, licence beside it). */
export const DISTRICTS: readonly District[] = DISTRICT_NAMES.map((district) => ({
  ...place(district),
  thanas: (areas.get(district.en) ?? []).map(place).sort(byName),
}))

/** Response body of the districts route. */
export const DISTRICTS_JSON = JSON.stringify(DISTRICTS)
