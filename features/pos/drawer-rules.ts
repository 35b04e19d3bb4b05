// The drawer of each register on a day: its shifts side by side, and their sums.
import { compareNames } from '#lib/format/compare-names.ts'
import { type Poisha, poisha, sum, takaToPoisha, ZERO } from '#lib/format/money.ts'
import type { RegisterName } from './registers.server.ts'
import type { ShiftReport } from './shift-queries.server.ts'

/** Cash of a shift in its drawer, in poisha. */
export interface DrawerShift {
  shift: ShiftReport
  /** Opening cash less the last count in this drawer, on any day; zero for its first shift, and without a register. */
  between: Poisha
  opening: Poisha
  sales: Poisha
  accountPayments: Poisha
  cashIn: Poisha
  cashOut: Poisha
  refunds: Poisha
  expected: Poisha
  /** Null while the shift is open. */
  counted: Poisha | null
  difference: Poisha | null
}

/** Opening cash of the first shift, count of the last, and the sums of the rest. */
export type DrawerDay = Omit<DrawerShift, 'shift'>

export interface Drawer {
  /** Unique among the drawers of a day. */
  key: string
  /** Null for a shift without a register, which has a drawer of its own. */
  register: RegisterName | null
  shifts: DrawerShift[]
  day: DrawerDay
}

/** The drawers of these shifts: by the name of the register, then those of shifts without one. Shifts with hidden sums have none. */
export function drawersOf(shifts: readonly ShiftReport[]): Drawer[] {
  const found = new Map<string, Drawer>()
  for (const shift of shifts) {
    const cash = shift.methods.find(({ method }) => method === 'cash')
    if (shift.cash === null || !cash || cash.expected === null) continue
    const key = shift.drawer ? `register-${shift.drawer.id}` : `shift-${shift.id}`
    const own = drawerShift(shift, shift.cash, { expected: cash.expected, counted: cash.counted })
    const all = [...(found.get(key)?.shifts ?? []), own]
    found.set(key, { key, register: shift.drawer, shifts: all, day: dayOf(all) })
  }
  return [...found.values()].sort(byName)
}

function byName({ register: a }: Drawer, { register: b }: Drawer): number {
  return a && b ? compareNames(a.name, b.name) : Number(a === null) - Number(b === null)
}

function drawerShift(
  shift: ShiftReport,
  cash: NonNullable<ShiftReport['cash']>,
  inDrawer: { expected: number; counted: number | null },
): DrawerShift {
  const opening = takaToPoisha(shift.opening_cash)
  const expected = takaToPoisha(inDrawer.expected)
  const counted = inDrawer.counted === null ? null : takaToPoisha(inDrawer.counted)
  return {
    shift,
    between: shift.counted_before === null ? ZERO : poisha(opening - takaToPoisha(shift.counted_before)),
    opening,
    sales: takaToPoisha(cash.sales),
    accountPayments: takaToPoisha(cash.account_payments),
    cashIn: takaToPoisha(shift.cash_in),
    cashOut: takaToPoisha(shift.cash_out),
    refunds: takaToPoisha(cash.refunds),
    expected,
    counted,
    difference: counted === null ? null : poisha(counted - expected),
  }
}

/** The differences of the day are those of closed shifts; expected and counted are what the last shift leaves. */
function dayOf(shifts: readonly DrawerShift[]): DrawerDay {
  const [first, last] = [shifts[0]!, shifts.at(-1)!]
  const total = (read: (one: DrawerShift) => Poisha) => sum(shifts.map(read))
  return {
    between: total(({ between }) => between),
    opening: first.opening,
    sales: total(({ sales }) => sales),
    accountPayments: total(({ accountPayments }) => accountPayments),
    cashIn: total(({ cashIn }) => cashIn),
    cashOut: total(({ cashOut }) => cashOut),
    refunds: total(({ refunds }) => refunds),
    expected: last.expected,
    counted: last.counted,
    difference: shifts.every(({ difference }) => difference === null) ? null : total(({ difference }) => difference ?? ZERO),
  }
}
