import { updateOrderBody } from '#features/orders/editing/forms.ts'
import { isSameInput } from '../ui/same-input.ts'
import { type OrderValues, sentLines } from './order-values.ts'

const FIELDS: Record<string, { safeParse(value: unknown): { data?: unknown } }> = updateOrderBody.out.shape

/** The fields in which two versions of an order differ as the server stores them: "10" and "10.00" are the same charge. */
export function differingFields(a: OrderValues, b: OrderValues): (keyof OrderValues)[] {
  return (Object.keys(a) as (keyof OrderValues)[]).filter((field) => !isSameInput(stored(field, a), stored(field, b)))
}

/** A field as the server reads it; as typed where it refuses it. */
function stored(field: keyof OrderValues, values: OrderValues): unknown {
  const sent = field === 'products' ? storedLines(values) : field === 'discount' ? values.discount || 0 : values[field]
  return FIELDS[field]?.safeParse(sent).data ?? sent
}

/** The server sets base prices itself, stores no usual price, and moves new lines to the end. */
function storedLines({ products }: OrderValues): unknown[] {
  return sentLines(products)
    .map(({ usual_price: _usual, base_price: _base, ...line }) => line)
    .sort((a, b) => Number(a.product_id) - Number(b.product_id))
}
