/** What a buyer of cattle must know, as the owner has set it; money in taka. */
export interface CattleNotes {
  /** Taka a kg of live weight, from so many kg on; one entry without tiers. */
  rates: { fromKg: number; perKg: number }[]
  finalWeighingDays: number | null
  /** Percent, as printed. */
  meatYield: string
  /** Kilograms, as printed. */
  gainLarge: string
  gainSmall: string
  advance: number
  /** When the weights shown were taken, where that is one campaign. */
  weighed: { from: string; to: string } | null
  /** What pickup costs where. */
  delivery: { charge: number; names: string[] }[]
}
