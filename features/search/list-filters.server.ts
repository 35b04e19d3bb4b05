import { COATS } from '#features/catalog/coats.ts'
import { SEXES } from '#features/catalog/sexes.ts'
import { COAT_KEYS, SEX_KEYS } from '#features/catalog/trait-keys.ts'
import type { ListFilterJson } from '#features/catalog/types.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { type Trait, type TraitCount, type TraitCounts, TRAITS, type TraitValues } from './product-index/animal-traits.ts'

/** The traits by which a list can be narrowed. One value that all products of the list have narrows nothing. */
export function listFilters(counts: TraitCounts, chosen: TraitValues, { total, lang }: { total: number; lang: Lang }): ListFilterJson[] {
  const t = translate(lang)
  return TRAITS.flatMap((name) => {
    const options = counts[name].toSorted(ORDERS[name])
    const narrows = options.length > 1 || (options.length === 1 && options[0]!.count < total)
    if (!narrows && chosen[name] === undefined) return []
    return [
      {
        name,
        label: t(`product.${name}`),
        options: options.map((option) => ({ value: String(option.value), label: labelOf(name, option, lang), count: option.count })),
      },
    ]
  })
}

const byList = (keys: readonly string[]) => (a: TraitCount, b: TraitCount) => keys.indexOf(String(a.value)) - keys.indexOf(String(b.value))

/** Breeds by their number, other values as forms list them. */
const ORDERS: Record<Trait, (a: TraitCount, b: TraitCount) => number> = {
  breed: (a, b) => b.count - a.count || String(a.value).localeCompare(String(b.value)),
  sex: byList(SEX_KEYS),
  teeth: (a, b) => Number(a.value) - Number(b.value),
  coat: byList(COAT_KEYS),
}

function labelOf(name: Trait, { value, bn }: TraitCount, lang: Lang): string {
  const text = String(value)
  if (name === 'teeth') return translate(lang)('product.teeth-count', { teeth: Number(value) })
  if (name === 'breed') return lang === 'bn' ? (bn ?? text) : text
  const choices: Record<string, Record<Lang, string>> = name === 'sex' ? SEXES : COATS
  return choices[text]?.[lang] ?? text
}
