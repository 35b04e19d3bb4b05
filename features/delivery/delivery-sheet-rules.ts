// What goes on the truck: the lines of a day's deliveries, summed by product.
import type { Unit } from '#features/catalog/types.ts'
import type { OrderStatus } from '#features/orders/rules.ts'
import { compareNames } from '#lib/format/compare-names.ts'

export interface SheetLine {
  product_id: number
  name: string
  /** Of an animal. */
  tag: string | null
  quantity_milli: number
  unit: Unit
}

/** A delivery of the day; money in taka. */
export interface SheetOrder {
  id: number
  status: OrderStatus
  name: string
  phone: string
  address: string
  landmark: string | null
  note: string
  /** Null for a collection, and for an order without an area. */
  area_id: number | null
  /** The name of the area. */
  area: string | null
  is_collection: boolean
  /** What this delivery collects, 0 when nothing. */
  due: number
  /** The amount due of the whole order, 0 when nothing is owed. */
  order_due: number
  /** The only delivery of the order, or which of two. */
  part: 'only' | 'first' | 'last'
  /** The products that come on this day. */
  lines: SheetLine[]
}

/** Identifies a line of the load: an order has the unit that its product had then. */
export const loadKey = ({ product_id, unit }: SheetLine) => `${product_id} ${unit}`

/** The products of all deliveries: animals first, each a line of its own, then the others with their sums. */
export function loadOf(orders: readonly Pick<SheetOrder, 'lines'>[]): SheetLine[] {
  const load = new Map<string, SheetLine>()
  for (const line of orders.flatMap(({ lines }) => lines)) {
    const before = load.get(loadKey(line))
    load.set(loadKey(line), { ...line, quantity_milli: line.quantity_milli + (before?.quantity_milli ?? 0) })
  }
  return [...load.values()].sort((a, b) => {
    if ((a.tag === null) !== (b.tag === null)) return a.tag === null ? 1 : -1
    return compareNames(a.tag ?? a.name, b.tag ?? b.name)
  })
}

export interface SheetStop {
  area_id: number | null
  area: string | null
  is_collection: boolean
  orders: SheetOrder[]
  /** What they collect together, in taka. */
  due: number
}

/** The orders by area, in their order; collections are one group. */
export function stopsOf(orders: readonly SheetOrder[]): SheetStop[] {
  const stops = new Map<string, SheetStop>()
  for (const order of orders) {
    const { area_id, area, is_collection, due } = order
    // Two areas may have one name.
    const key = `${is_collection} ${area_id}`
    const stop = stops.get(key) ?? { area_id, area, is_collection, orders: [], due: 0 }
    stops.set(key, { ...stop, orders: [...stop.orders, order], due: stop.due + due })
  }
  return [...stops.values()]
}
