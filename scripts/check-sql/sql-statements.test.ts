import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { compareRow } from './compare-row.ts'
import { describeStatement, readTableColumns } from './describe-statement.ts'
import { findStatements, type Statement } from './find-statements.ts'

/** Templates that cannot be checked, by file. The list may only shrink. */
const UNCHECKED: Record<string, { count: number; reason: string }> = {
  'features/catalog/media/delete-orphaned-uploads.server.ts': {
    count: 3,
    reason: 'The tables that refer to images are read from the catalog of PostgreSQL.',
  },
  'features/catalog/products/copy-product.server.ts': { count: 1, reason: 'The columns come from the list of product fields.' },
  'features/catalog/products/export-products.server.ts': { count: 1, reason: 'A condition of the product editor query.' },
  'features/catalog/products/plan-import.server.ts': { count: 1, reason: 'A condition of the product editor query.' },
  'features/catalog/products/product-editor-queries.server.ts': { count: 3, reason: 'The columns come from the list of product fields.' },
  'features/catalog/products/write-products.server.ts': { count: 1, reason: 'A condition of the product editor query.' },
  'features/catalog/queries.server.ts': { count: 3, reason: 'The columns come from the list of product fields.' },
  'lib/db/versioned.server.ts': { count: 1, reason: 'An expression within the query builder.' },
}

/** Executed statements whose text depends on data, such as the name of a scratch database. The list may only shrink. */
const DYNAMIC = [
  'features/catalog/media/delete-orphaned-uploads.server.ts',
  'features/catalog/products/copy-product.server.ts',
  'features/catalog/products/product-editor-queries.server.ts',
  'features/catalog/queries.server.ts',
  'server/backup/scratch-on-server.ts',
  'server/backup/scratch-on-server.ts',
]

const FIXTURE = 'test/fixtures/sql/'

const { pool } = await testDb()

// The compiler reads the server's code once for all tests.
const found = findStatements()

it('every statement is found and its text evaluated, but for those listed', () => {
  const unchecked = found.unreached.map((at) => at.split(':')[0]!)
  const counts = Object.fromEntries(Object.entries(Object.groupBy(unchecked, (file) => file)).map(([file, all]) => [file, all!.length]))
  expect(counts, found.unreached.join(', ')).toEqual(
    Object.fromEntries(Object.entries(UNCHECKED).map(([file, { count }]) => [file, count])),
  )
  expect(found.dynamic.map(({ at }) => at.split(':')[0]!).toSorted()).toEqual(DYNAMIC)
  // Statements that move to the query builder leave the count. Far fewer would mean that the finder misses some.
  expect(found.statements.length).toBeGreaterThan(250)
})

/** The errors of PostgreSQL and the differences of the declared row, by statement. */
async function differencesOf(statements: Statement[]): Promise<string[]> {
  const client = await pool.connect()
  const columns = await readTableColumns(client)
  const differences: string[] = []
  for (const { at, texts, row } of statements) {
    const ofStatement = new Set<string>()
    for (const text of texts) {
      try {
        const result = await describeStatement(client, columns, text)
        if (row) for (const difference of compareRow(found.checker, row, result, text)) ofStatement.add(difference)
      } catch (error) {
        ofStatement.add(`${(error as Error).message} in: ${text}`)
      }
    }
    differences.push(...[...ofStatement].map((difference) => `${at} ${difference}`))
  }
  client.release()
  return differences
}

it('PostgreSQL accepts every statement, and its columns are what the code declares', { timeout: 60_000 }, async () => {
  expect(await differencesOf(found.statements.filter(({ at }) => !at.startsWith(FIXTURE)))).toEqual([])
})

it('finds what does not fit', async () => {
  const differences = await differencesOf(found.statements.filter(({ at }) => at.startsWith(FIXTURE)))
  expect(differences.map((line) => line.replace(/^\S+ /, ''))).toEqual([
    'relation "cows" does not exist in: select id from cows',
    'phone: is not in the result',
    'phone: is not in the type',
    'id: string is number in PostgreSQL',
    'created_at: string is Date in PostgreSQL',
    'email: may be null',
    'name: is never null',
    'role: the table never holds farmer',
    'ids: string[] is an array of number in PostgreSQL',
    'userId: is not snake_case; toCamel converts a row',
    'column "birthday" does not exist in: select id from users where true and birthday is null order by id desc',
    'column "birthday" does not exist in: select id from users where true and birthday is null order by id',
  ])
})
