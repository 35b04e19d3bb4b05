import { lineDiscount } from '#features/pos/discount-rules.ts'
import { NONCASH_METHODS, type NoncashMethod, quantityProblem } from '#features/pos/rules.ts'
import { formatTaka } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { badTransactionId, type PosProblem, type Sale, type SaleState, typedAmount } from './sale.ts'

/** The text of the problem of a sale; empty when there is none. */
export function useProblemText(): (state: Pick<SaleState, 'problem' | 'due'>) => string {
  const { t, lang } = useI18n()
  return ({ problem, due }) => {
    if (problem === null) return ''
    return problem === 'due' ? t('pos.problem.due', { amount: formatTaka(due, lang) }) : t(`pos.problem.${problem}`)
  }
}

/** The id of the element that corrects a problem. */
export function problemField(problem: PosProblem, sale: Sale): string {
  const amountOf = (method: NoncashMethod) => typedAmount(sale[method]) ?? 0
  switch (problem) {
    case 'quantity':
      return `pos-quantity-${sale.lines.find((line) => quantityProblem(line) !== null)?.id}`
    case 'discount':
      return discountField(sale)
    case 'total':
      return sale.discount.trim() === '' ? 'pos-search' : 'pos-discount'
    case 'place':
      return placeField(sale)
    case 'amount':
      return amountField(sale)
    case 'not-from-cash':
      return `pos-${NONCASH_METHODS.reduce((max, method) => (amountOf(method) > amountOf(max) ? method : max))}`
    case 'transaction':
      return `pos-${badTransactionId(sale)}-id`
    default:
      return FIELDS[problem]
  }
}

const FIELDS = {
  empty: 'pos-search',
  due: 'pos-cash',
  phone: 'pos-phone',
  day: 'pos-day',
  coupon: 'pos-coupon',
} as const

/** The address where an area is chosen without one; else the area, which is missing, unknown or closed. */
const placeField = ({ areaId, address }: Sale) => (areaId !== '' && address.trim() === '' ? 'pos-address' : 'pos-area')

/** The first unreadable amount; without one, what is paid by store credit or left on account exceeds the total. */
function amountField(sale: Sale): string {
  const method = NONCASH_METHODS.find((one) => typedAmount(sale[one]) === null)
  if (method) return `pos-${method}`
  if (sale.cash !== null && typedAmount(sale.cash) === null) return 'pos-cash'
  const [credit, onAccount] = [typedAmount(sale.storeCredit ?? ''), typedAmount(sale.onAccount)]
  return credit === null || (onAccount !== null && onAccount <= 0) ? 'pos-store-credit' : 'pos-on-account'
}

/** The ids of fields that an error of the shop is about, the first of which gets the focus. */
const ERROR_FIELDS = {
  'delivery.day': 'pos-day',
  'collection.day': 'pos-day',
  store_credit: 'pos-store-credit',
  on_account: 'pos-on-account',
} as const

/** The field of the shop's rejection; null where it names none of these. */
export function errorField(errors: Record<string, string[]>): string | null {
  const found = Object.entries(ERROR_FIELDS).find(([field]) => field in errors)
  return found ? found[1] : null
}

/** The input that an error of the shop is about; null where it is about several, or about products. */
export function errorInput(field: string): keyof Sale | null {
  if (field === 'on_account') return 'onAccount'
  if (field === 'store_credit') return 'storeCredit'
  if (field === 'discount') return 'discount'
  for (const method of NONCASH_METHODS) {
    if (field === `transactions.${method}`) return method
    if (field === `transaction_ids.${method}`) return `${method}Id`
  }
  return null
}

function discountField({ lines }: Sale): string {
  const line = lines.find((one) => lineDiscount(one) === null)
  return line ? `pos-line-discount-${line.id}` : 'pos-discount'
}
