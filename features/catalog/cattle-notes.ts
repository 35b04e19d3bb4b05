/** Information for buyers of cattle from the settings; money in taka. */
export interface CattleNotes {
  /** Taka per kg of live weight by lower bound; one entry without tiers. */
  rates: { fromKg: number; perKg: number }[]
  finalWeighingDays: number | null
  /** Percent, as a text. */
  meatYield: string
  /** Kilograms, as a text. */
  gainLarge: string
  gainSmall: string
  advance: number
  /** The period in which the shown weights were taken; null before the weighing of the season, and after its last delivery day. */
  weighed: { from: string; to: string } | null
  /** Delivery charges with the names of their areas. */
  delivery: { charge: number; names: string[] }[]
}
