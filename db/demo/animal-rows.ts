// Converts lines of `cattle.ts` to table rows. Deterministic: the same day gives the same rows.
import { toMilli } from '#lib/format/numbers.ts'
import { COATS } from '#features/catalog/coats.ts'
import { SEXES } from '#features/catalog/sexes.ts'
import { addDays, addMonths } from '#lib/format/time.ts'
import { ownBarcode } from './barcodes.ts'
import { BREEDS, type DemoAnimal } from './cattle.ts'
import { animalPrice, KURBANI_SEASON } from './categories.ts'
import { animalDescription, animalNote, BREED_SPELLINGS, COAT_SPELLINGS } from './animal-texts.ts'
import { kurbaniDays } from './settings.ts'

const MONTHS_OF_TEETH = { 0: 19, 2: 27, 4: 37, 6: 46, 8: 62 }

interface WeighIn {
  weighed_on: string
  grams: number
  method: 'scale' | 'tape'
  weighed_by: string
}

/** Three to six weigh-ins; the last is a few days old, at the animal's present weight. */
export function weighInsOf(animal: DemoAnimal, index: number, today: string): WeighIn[] {
  const gainPerDay = 0.4 + ((index * 37) % 30) / 60
  const every = 13 + (index % 4)
  const last = addDays(today, -1 - (index % (animal.categoryId === 4 ? 8 : 6)))
  return Array.from({ length: 3 + (index % 4) }, (_, back) => ({
    weighed_on: addDays(last, -back * every),
    grams: Math.round((animal.kg - back * every * gainPerDay * (1 - back * 0.04)) * 2) * 500,
    method: back > 3 ? ('tape' as const) : ('scale' as const),
    weighed_by: index % 3 === 0 ? 'Rafiqul Islam' : 'Jamal Uddin',
  })).reverse()
}

/** The row of `products` for the animal. */
export function animalRow(animal: DemoAnimal, index: number, today: string) {
  const breed = BREEDS[animal.breed]
  const isKurbani = animal.categoryId === 4
  const isFree = animal.status === 'in-stock' || animal.status === 'pre-book'
  return {
    category_id: animal.categoryId,
    ...namesOf(animal),
    ...animalDescription(animal),
    ...animalNote(animal, index),
    price_poisha: animalPrice(animal.categoryId, animal.kg),
    unit: 'piece' as const,
    status: animal.status,
    discount_kind: animal.discount?.kind ?? null,
    discount_value: animal.discount ? Math.round(animal.discount.value * 100) : null,
    shipping_poisha: 1500_00,
    advance_minimum_poisha: 10_000_00,
    advance_percent_bp: isKurbani ? 0 : 500,
    advance_round_poisha: 500_00,
    coupon_applicable: !isKurbani,
    delivery_on: deliveryDay(animal, index, today),
    hold_reason: animal.status === 'hold' ? ('soon' as const) : null,
    is_unique: true,
    stock_milli: isFree || animal.status === 'hold' ? 1000 : 0,
    barcode: ownBarcode(Number(animal.tag.slice(2))),
    tag_number: animal.tag,
    breed_en: breed.en,
    breed_bn: breed.bn,
    sex: animal.sex,
    coat: animal.coat,
    teeth: animal.teeth,
    birth_month: `${addMonths(today, -MONTHS_OF_TEETH[animal.teeth] - (index % 5)).slice(0, 7)}-01`,
    sold_by_live_weight: true,
    weight_grams: toMilli(animal.kg),
    weighed_on: weighInsOf(animal, index, today).at(-1)!.weighed_on,
    season: isKurbani ? KURBANI_SEASON : '',
    search_aliases: [
      'goru cow গরু',
      isKurbani ? 'kurbani korbani qurbani kurbanir goru কোরবানি কুরবানি' : 'beef mangsho gorur mangso গরুর মাংস',
      BREED_SPELLINGS[animal.breed],
      COAT_SPELLINGS[animal.coat],
      animal.tag.replace('-', ''),
    ].join(' '),
  }
}

function namesOf({ breed, coat, sex }: DemoAnimal) {
  // The name of these breeds includes their only colour.
  const isSaid = breed === 'rcc' || (breed === 'grey' && coat === 'grey')
  const [en, bn] = isSaid ? ['', ''] : [`, ${COATS[coat].en.toLowerCase()}`, `, ${COATS[coat].bn}`]
  return { name_en: `${BREEDS[breed].en} ${SEXES[sex].en.toLowerCase()}${en}`, name_bn: `${BREEDS[breed].bn} ${SEXES[sex].bn}${bn}` }
}

function deliveryDay({ categoryId, status, comesIn }: DemoAnimal, index: number, today: string): string | null {
  if (comesIn !== undefined) return addDays(today, comesIn)
  if (status === 'out-of-stock' || (status === 'sold' && categoryId !== 4)) return null
  if (status === 'pre-book') return categoryId === 4 ? kurbaniDays(today).deliveryTo : addDays(today, 14 + (index % 3))
  return categoryId === 4 ? addDays(kurbaniDays(today).deliveryFrom, index % 5) : addDays(today, 3 + (index % 3))
}
