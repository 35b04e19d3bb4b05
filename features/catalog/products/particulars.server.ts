import type { ProductDetailJson } from '#features/catalog/types.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { choiceText, FIELD_LIST } from './field-values.ts'

/** Label and value of a row in the description list of the product page and the public animal card. */
export type Particular = [label: string, text: string]

/** The rows that come from the product-field list, in its order; empty values are left out. */
export function listParticulars(product: ProductDetailJson, lang: Lang): Particular[] {
  const t = translate(lang)
  return FIELD_LIST.flatMap(({ key, choices, particular }): Particular[] => {
    if (!particular) return []
    const value = (product as unknown as Record<string, unknown>)[particular.of ?? key]
    if (value === null || value === '') return []
    const text = particular.text?.(value as never, { lang, t }) ?? (choices ? choiceText(key, value, lang) : String(value))
    return text === null ? [] : [[t(particular.label), text]]
  })
}
