import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { JSON_COLUMNS } from '../schema/json-columns.ts'
import { JsonComparison } from './compare-json.ts'
import { compareRow } from './compare-row.ts'
import { describeJson, readDomains } from './describe-json.ts'
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

/**
 * JSON whose type no statement shows: results of database functions, and values out of other JSON. All other JSON is compared: its keys, and
 * the types of its values; whether a value may be null, where the schema or the statement determines it. The list may only shrink.
 */
const UNCHECKED_JSON = [
  'features/catalog/products/count-stock.server.ts take.id',
  'features/catalog/products/count-stock.server.ts take.reason',
  'features/orders/batching/insert-orders.server.ts result',
  'features/orders/batching/insert-orders.server.ts results',
  'features/pos/held-sales.server.ts lines[].name',
  'features/pos/held-sales.server.ts lines[].quantity',
  'features/pos/write-sale.server.ts result',
  'features/pos/write-sale.server.ts results',
  'features/stock/stock.server.ts missing',
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

/** The errors of PostgreSQL and the differences of the declared row, by statement; and the JSON that cannot be compared, by file. */
async function compareAll(statements: Statement[]): Promise<{ differences: string[]; unchecked: string[] }> {
  const client = await pool.connect()
  const schema = { columns: await readTableColumns(client), domains: await readDomains(client) }
  const differences: string[] = []
  const unchecked = new Set<string>()
  for (const { at, texts, row } of statements) {
    const ofStatement = new Set<string>()
    for (const text of texts) {
      try {
        const columns = await describeStatement(client, schema.columns, text)
        if (row) {
          const shapes = await describeJson(client, schema, text, columns)
          const report = compareRow(found, row, { columns, shapes }, text)
          for (const difference of report.differences) ofStatement.add(difference)
          for (const column of report.unchecked) unchecked.add(`${at.split(':')[0]} ${column}`)
        }
      } catch (error) {
        ofStatement.add(`${(error as Error).message} in: ${text}`)
      }
    }
    differences.push(...[...ofStatement].map((difference) => `${at} ${difference}`))
  }
  client.release()
  return { differences, unchecked: [...unchecked].toSorted() }
}

it('PostgreSQL accepts every statement, and its columns are what the code declares', { timeout: 60_000 }, async () => {
  const { differences, unchecked } = await compareAll(found.statements.filter(({ at }) => !at.startsWith(FIXTURE)))
  expect(differences).toEqual([])
  expect(unchecked).toEqual(UNCHECKED_JSON.toSorted())
})

it('no JSON column is declared with a type that JSON lacks', () => {
  const comparison = new JsonComparison(found.checker, found.declared)
  for (const column of Object.keys(JSON_COLUMNS)) comparison.findInstants(found.declared.typeOf(column)!, column)
  expect(comparison.report.differences).toEqual([])
  comparison.findInstants(found.declared.typeOf('users.created_at')!, 'created_at')
  expect(comparison.report.differences).toEqual(['created_at: Date is string in JSON'])
})

it('finds what does not fit', async () => {
  const { differences, unchecked } = await compareAll(found.statements.filter(({ at }) => at.startsWith(FIXTURE)))
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
    'detail: { alarm: number; } is EmailDetail in db/types.ts',
    'form.form: is not in the type',
    'form.fields: is not in the result',
    'user: is never null',
    'user.name: is not in the type',
    'user.at: is not in the type',
    'user.phone: is not in the result',
    'lines: may be null',
    'lines[].sold_at: Date is string in JSON',
    'lines[].total: Poisha is taka',
    'lines[].status: the table never holds eaten',
    'lines[].expires_at: may be null',
    'ids: is never null',
    'ids[]: string is number in JSON',
    'shape: string is an object',
    'rows[].id: string is number in JSON',
    'rows[].n: is not in the type',
    'rows[].other: is not in the result',
    'names[]: number is string in JSON',
    'row: has 3 items, not 2',
    'row[1]: number is string in JSON',
    'grams: Poisha is number in db/types.ts',
    'column "birthday" does not exist in: select id from users where true and birthday is null order by id desc',
    'column "birthday" does not exist in: select id from users where true and birthday is null order by id',
  ])
  expect(unchecked).toEqual([])
})
