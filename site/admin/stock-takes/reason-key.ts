import type { TakeReason } from '#features/stock-takes/rules.ts'

/** The message of a reason. An animal is not spoiled, it died. */
export const reasonKey = (reason: TakeReason, isAnimal: boolean) =>
  isAnimal && reason === 'spoiled' ? ('stock-take.reason.died' as const) : (`stock-take.reason.${reason}` as const)
