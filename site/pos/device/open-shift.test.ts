import { expect, it } from 'vitest'
import { isShiftClosed, setOpenShift } from './open-shift.ts'

let cashiers = 0
/** Whether a page with shift 7 takes it for closed after these answers of the shop. */
function isClosedAfter(...answers: [shiftId: number | null, isOpen: boolean][]): boolean {
  const cashierId = ++cashiers
  for (const [shiftId, isOpen] of answers) setOpenShift({ cashierId, shiftId, isOpen })
  return isShiftClosed({ id: cashierId, shiftId: 7 })
}

it('an answer from before the shift was opened does not close it', () => {
  expect([isClosedAfter([null, false]), isClosedAfter([6, false]), isClosedAfter([6, true])]).toEqual([false, false, false])
})

it('an answer that knows the shift closed, or a later one, closes it', () => {
  expect([isClosedAfter([7, true]), isClosedAfter([7, false]), isClosedAfter([8, true]), isClosedAfter([8, false])]).toEqual([
    false,
    true,
    true,
    true,
  ])
})

it('an answer from before the shift was closed does not open it again', () => {
  expect([isClosedAfter([7, false], [7, true]), isClosedAfter([8, true], [7, true])]).toEqual([true, true])
})

it('the shift of another cashier says nothing', () => {
  setOpenShift({ cashierId: 1001, shiftId: 9, isOpen: false })
  expect(isShiftClosed({ id: 1002, shiftId: 7 })).toBe(false)
})
