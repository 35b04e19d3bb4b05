// Scanned codes that the server is still looking up. A sale is not placed meanwhile: it would leave without products that are in hand.
let running = 0

export const isLookingUp = () => running > 0

/** Counts the lookup until it ends. */
export async function lookUp<Found>(search: () => Promise<Found>): Promise<Found> {
  running += 1
  try {
    return await search()
  } finally {
    running -= 1
  }
}
