import type { FieldErrors, Text } from '#features/orders/editing/order-line-pricing.server.ts'
import { isWholeEnough } from '#features/orders/returns/return-rules.ts'
import { returnableQuantity } from '#features/orders/returns/sold-order.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { formatQuantity } from '#lib/format/numbers.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { ReturnForm } from './forms.ts'
import { enabledMethods, type ExtraMethod, methodNotAllowed } from './rules.ts'
import type { SoldSale } from './sale-queries.server.ts'

/** Lines that the sale does not have, that are listed twice, or that cannot come back in this quantity. */
export function returnLineErrors(sale: SoldSale, lines: ReturnForm['lines'], t: Text, lang: Lang): FieldErrors {
  const errors: FieldErrors = {}
  const listed = new Set<number>()
  lines.forEach(({ productId, quantityMilli }, index) => {
    const line = sale.lines.find((one) => one.productId === productId)
    const left = line ? returnableQuantity(line) : 0
    if (!line) errors[`lines.${index}.product_id`] = [t('pos.return.not-sold')]
    else if (listed.has(productId)) errors[`lines.${index}.product_id`] = [t('refusal.listed-twice', { name: line.name })]
    else if (quantityMilli > left)
      errors[`lines.${index}.quantity`] = [t('pos.return.too-many', { left: formatQuantity(left, line.unit, lang) })]
    else if (!isWholeEnough(line.unit, quantityMilli, left)) errors[`lines.${index}.quantity`] = [t('returns.whole')]
    listed.add(productId)
  })
  return errors
}

/** A refund by a method that is switched off. `paidWith`: extra methods that the sale was paid with; they stay allowed. */
export function refundMethodErrors(
  refund: ReturnForm['refund'],
  { pos_methods }: Settings,
  t: Text,
  paidWith: readonly ExtraMethod[] = [],
): FieldErrors {
  const method = methodNotAllowed(refund, [...enabledMethods(pos_methods), ...paidWith])
  return method ? { [`refund.${method}`]: [t('pos.method-off', { method: t(`pos.${method}`) })] } : {}
}
