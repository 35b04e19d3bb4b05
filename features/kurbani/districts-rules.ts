// Districts and thanas, found however people write them: in Bengali or English, by an old name, without the hyphen.
import type { Lang } from '#lib/i18n/lang.ts'

export interface Place {
  en: string
  bn: string
  /** Other names it goes by. */
  also?: string[]
}

export interface District extends Place {
  thanas: Place[]
}

/** Letters, marks and figures of a name, small; everything else parts words or falls away. */
function nameForm(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’.\u200b-\u200d]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}

const namesOf = (place: Place) => [place.en, place.bn, ...(place.also ?? [])].map(nameForm)

/** The place of exactly this name; null when there is none. */
export function findPlace<P extends Place>(places: readonly P[], name: string): P | null {
  const wanted = nameForm(name)
  return places.find((place) => namesOf(place).includes(wanted)) ?? null
}

/** The places that a beginning of a name may mean: those that begin with it, then those with such a word, then those that have it inside. */
export function matchPlaces<P extends Place>(places: readonly P[], typed: string): P[] {
  const wanted = nameForm(typed)
  if (wanted === '') return [...places]
  const distance = (place: Place) => Math.min(...namesOf(place).map((name) => nearness(name, wanted)))
  return places
    .map((place) => ({ place, distance: distance(place) }))
    .filter((one) => one.distance < NOWHERE)
    .sort((a, b) => a.distance - b.distance)
    .map((one) => one.place)
}

/** A stored thana and district for a reader of either language. */
export function placeText(districts: readonly District[], { district, thana }: { district: string; thana: string }, lang: Lang): string {
  const found = districts.find(({ en }) => en === district)
  return [found?.thanas.find(({ en }) => en === thana)?.[lang] ?? thana, found?.[lang] ?? district].filter(Boolean).join(', ')
}

const NOWHERE = 3

function nearness(name: string, wanted: string): number {
  if (name.startsWith(wanted)) return 0
  if (name.includes(` ${wanted}`)) return 1
  return name.includes(wanted) ? 2 : NOWHERE
}

/** What is wrong with a district and a thana as they were sent; both may be left out. */
export type PlaceProblem = 'district-unknown' | 'thana-unknown'

/** Reads district and thana into the names they are kept under (English); a thana counts only within its district. */
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
