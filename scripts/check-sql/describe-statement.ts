// Asks PostgreSQL for the columns of a statement: parse and describe, without running it.
import type pg from 'pg'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'

export interface ResultColumn {
  name: string
  /** The base type; PostgreSQL reports no domains here. */
  typeId: number
  /** The column of a table that the value comes from; null for an expression. */
  origin: TableColumn | null
}

export interface TableColumn {
  table: string
  name: string
  isNullable: boolean
  isJson: boolean
  /** The texts that a check allows; null when any is. */
  literals: string[] | null
}

interface FieldMessage {
  fields: { name: string; dataTypeID: number; tableID: number; columnID: number }[]
}
interface Connection {
  parse(message: { name: string; text: string; types: number[] }): void
  describe(message: { type: 'S'; name: string }): void
  sync(): void
}

const TABLE_COLUMNS = `
  select a.attrelid || '.' || a.attnum as key, c.relname as "table", a.attname as name, not (a.attnotnull or d.typnotnull) as is_nullable, a.atttypid = 'jsonb'::regtype as is_json,
         (select pg_get_constraintdef(k.oid) from pg_constraint k
           where k.contype = 'c' and pg_get_constraintdef(k.oid) ~ 'ANY \\(ARRAY\\[''[^\\]]*\\]\\)\\)\\)$'
             and (k.contypid = d.oid or k.conrelid = c.oid and k.conkey = array[a.attnum]) limit 1) as "check"
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type d on d.oid = a.atttypid
   where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0`

/** Every column of a table by `<table oid>.<column number>`. */
export async function readTableColumns(client: pg.ClientBase): Promise<Map<string, TableColumn>> {
  const { rows } = await client.query<SnakeCased<Omit<TableColumn, 'literals'>> & { key: string; check: string | null }>(TABLE_COLUMNS)
  return new Map(
    rows.map(({ key, check, ...column }) => [
      key,
      {
        ...toCamel<Omit<TableColumn, 'literals'>>(column),
        literals: check?.match(/'[^']*'/g)?.map((literal) => literal.slice(1, -1)) ?? null,
      },
    ]),
  )
}

/** The columns that the statement returns, in order. Rejects with PostgreSQL's error when the statement does not fit the schema. */
export async function describeStatement(client: pg.ClientBase, columns: Map<string, TableColumn>, text: string): Promise<ResultColumn[]> {
  const fields = await describeFields(client, text)
  return fields.map(({ name, dataTypeID, tableID, columnID }) => ({
    name,
    typeId: dataTypeID,
    origin: columns.get(`${tableID}.${columnID}`) ?? null,
  }))
}

async function describeFields(client: pg.ClientBase, text: string): Promise<FieldMessage['fields']> {
  const { promise, resolve, reject } = Promise.withResolvers<FieldMessage['fields']>()
  let fields: FieldMessage['fields'] = []
  const query = {
    submit(connection: Connection) {
      connection.parse({ name: '', text, types: [] })
      connection.describe({ type: 'S', name: '' })
      connection.sync()
    },
    handleRowDescription(message: FieldMessage) {
      fields = message.fields
    },
    handleError: reject,
    handleReadyForQuery: () => resolve(fields),
  }
  client.query(query as unknown as pg.Submittable)
  return promise
}
