import { type Db, inTransaction } from './db.server.ts'

/** Carries a result out of a transaction that is rolled back. */
class Rollback extends Error {
  readonly result: unknown

  constructor(result: unknown) {
    super('the transaction is rolled back')
    this.result = result
  }
}

/** Runs `fn` in one transaction, as `inTransaction` does. `rollBack` undoes what `fn` has written and gives the result of the call. */
export async function inTransactionOrRollback<Result>(
  db: Db,
  fn: (tx: Db, rollBack: (result: Result) => never) => Promise<Result>,
): Promise<Result> {
  try {
    return await inTransaction(db, (tx) =>
      fn(tx, (result) => {
        throw new Rollback(result)
      }),
    )
  } catch (error) {
    if (error instanceof Rollback) return error.result as Result
    throw error
  }
}
