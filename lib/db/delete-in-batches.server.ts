/** Rows of one statement: few enough that it ends long before its timeout. */
const BATCH = 5000

/**
 * Repeats a statement that deletes at most `limit` rows until it finds no more. One statement for many rows would exceed the timeout of
 * statements, and a job would try it again for good while the table grows.
 */
export async function deleteInBatches(run: (limit: number) => Promise<{ numAffectedRows?: bigint | undefined }>): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await run(BATCH)
    if (Number(numAffectedRows ?? 0) < BATCH) return
  }
}
