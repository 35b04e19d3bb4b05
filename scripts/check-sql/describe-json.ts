// Finds what a statement builds as JSON: its shape from the text, the types of the values from PostgreSQL.
import type pg from 'pg'
import { describeStatement, type ResultColumn, type TableColumn } from './describe-statement.ts'
import { JsonReader, type Probe, type Shape } from './json-shape.ts'
import { columnSource } from './sql-columns.ts'
import { SqlText } from './sql-tokens.ts'

export interface Schema {
  columns: Map<string, TableColumn>
  /** The base type of each domain. */
  domains: Map<string, string>
}

const JSON_TYPES = new Set([114, 3802])

export async function readDomains(client: pg.ClientBase): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; base: string }>(
    `select typname as name, format_type(typbasetype, null) as base from pg_type where typtype = 'd' and typnamespace = 'public'::regnamespace`,
  )
  return new Map(rows.map(({ name, base }) => [name, base]))
}

/** The shapes of the JSON that the statement builds, by the column's name. */
export async function describeJson(
  client: pg.ClientBase,
  schema: Schema,
  text: string,
  result: ResultColumn[],
): Promise<Map<string, Shape>> {
  const shapes = new Map<string, Shape>()
  if (!result.some(isBuilt)) return shapes
  const sql = new SqlText(text)
  const reader = new JsonReader(sql, columnSource(sql, schema.columns.values()))
  result.forEach((column, index) => {
    if (isBuilt(column)) shapes.set(column.name, reader.readResult(column.name, index, result.length))
  })
  // JSON of a subquery adds probes.
  for (let index = 0; index < reader.probes.length; index++) await probeTypes(client, schema, reader, reader.probes[index]!)
  return shapes
}

const isBuilt = ({ typeId, origin }: ResultColumn) => JSON_TYPES.has(typeId) && origin === null

/** PostgreSQL names the types of the arguments in its error about a function that does not exist. */
async function probeTypes(
  client: pg.ClientBase,
  { domains }: Schema,
  reader: JsonReader,
  { range, values, scalars }: Probe,
): Promise<void> {
  const { sql } = reader
  const call = `type_probe(${values.map((value) => sql.textOf(value)).join(', ')})`
  const text = sql.text.slice(0, sql.tokens[range.from]!.start) + call + sql.text.slice(sql.tokens[range.to - 1]!.end)
  const message = await describeStatement(client, new Map(), text).then(
    () => 'The function exists.',
    (error: Error) => error.message,
  )
  const types = /^function type_probe\((.*)\) does not exist$/.exec(message)?.[1]?.split(', ')
  if (types?.length !== scalars.length) throw new Error(`${message} in: ${text}`)
  scalars.forEach((scalar, index) => {
    scalar.sqlType = domains.get(types[index]!) ?? types[index]!
    if (/^jsonb?$/.test(scalar.sqlType)) Object.assign(scalar, reader.readNamed(scalar))
  })
}
