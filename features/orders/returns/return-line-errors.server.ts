import { formatQuantity } from '#lib/format/numbers.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { textByKey } from '#lib/i18n/translate.ts'
import type { FieldErrors } from '../editing/order-line-pricing.server.ts'
import { type ReturnLine, returnQuantityProblem, returnableQuantity } from './return-rules.ts'
import type { NamedSoldOrder } from './sold-order.server.ts'

/**
 * The errors of the lines of a return: products that the order does not have, that are listed twice, or that cannot come back in this quantity.
 * `notSold`: the text for the first.
 */
export function returnLineErrors(
  sold: NamedSoldOrder,
  lines: readonly ReturnLine[],
  { notSold, lang }: { notSold: 'returns.not-ordered' | 'pos.return.not-sold'; lang: Lang },
): FieldErrors {
  const t = textByKey(lang)
  const errors: FieldErrors = {}
  const listed = new Set<number>()
  lines.forEach(({ productId, quantityMilli }, index) => {
    const line = sold.lines.find((one) => one.productId === productId)
    const problem = line && returnQuantityProblem(line, quantityMilli)
    if (!line) errors[`lines.${index}.product_id`] = [t(notSold)]
    else if (listed.has(productId)) errors[`lines.${index}.product_id`] = [t('refusal.listed-twice', { name: line.name })]
    else if (problem) errors[`lines.${index}.quantity`] = [t(problem, { left: formatQuantity(returnableQuantity(line), line.unit, lang) })]
    listed.add(productId)
  })
  return errors
}
