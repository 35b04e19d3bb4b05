import type { FieldErrors } from '#features/orders/editing/order-line-pricing.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import type { Text } from '#lib/i18n/translate.ts'
import type { ReturnForm } from './forms.ts'
import { enabledMethods, type ExtraMethod, methodNotAllowed } from './rules.ts'

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
