// Finds districts and thanas by any spelling: Bengali or English, former names, with or without hyphens.
import type { Lang } from '#lib/i18n/lang.ts'

export interface Place {
  en: string
  bn: string
  /** Former or other names. */
  also?: string[]
}

export interface District extends Place {
  thanas: Place[]
}

/** The normalized name: lower case letters, marks and digits, with single spaces for other characters. */
function nameForm(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’.\u200b-\u200d]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}

const namesOf = (place: Place) => [place.en, place.bn, ...(place.also ?? [])].map(nameForm)

/** The place with exactly this name; null when there is none. */
export function findPlace<P extends Place>(places: readonly P[], name: string): P | null {
  const typedName = nameForm(name)
  return places.find((place) => namesOf(place).includes(typedName)) ?? null
}

/** Places that match a typed text: names that start with it, then names with a word that starts with it, then names that contain it. */
export function matchPlaces<P extends Place>(places: readonly P[], typed: string): P[] {
  const typedName = nameForm(typed)
  if (typedName === '') return [...places]
  const distance = (place: Place) => Math.min(...namesOf(place).map((name) => nearness(name, typedName)))
  return places
    .map((place) => ({ place, distance: distance(place) }))
    .filter((one) => one.distance < NO_MATCH)
    .sort((a, b) => a.distance - b.distance)
    .map((one) => one.place)
}

/** A stored thana and district in the language of the reader. */
export function placeText(districts: readonly District[], { district, thana }: { district: string; thana: string }, lang: Lang): string {
  const found = districts.find(({ en }) => en === district)
  return [found?.thanas.find(({ en }) => en === thana)?.[lang] ?? thana, found?.[lang] ?? district].filter(Boolean).join(', ')
}

const NO_MATCH = 3

function nearness(name: string, typedName: string): number {
  if (name.startsWith(typedName)) return 0
  if (name.includes(` ${typedName}`)) return 1
  return name.includes(typedName) ? 2 : NO_MATCH
}

/** The error of a district or thana. Both are optional. */
export type PlaceProblem = 'district-unknown' | 'thana-unknown'

/** Parses district and thana into their stored English names. A thana must be in the district. */
export function readPlaces(
  districts: readonly District[],
  sent: { district: string; thana: string },
): { district: string; thana: string; problems: { district?: PlaceProblem; thana?: PlaceProblem } } {
  const district = sent.district === '' ? null : findPlace(districts, sent.district)
  const thana = sent.thana === '' || !district ? null : findPlace(district.thanas, sent.thana)
  return {
    district: district?.en ?? '',
    thana: thana?.en ?? '',
    problems: {
      ...(sent.district !== '' && !district ? { district: 'district-unknown' as const } : {}),
      ...(sent.thana !== '' && !thana && (district || sent.district === '') ? { thana: 'thana-unknown' as const } : {}),
    },
  }
}
