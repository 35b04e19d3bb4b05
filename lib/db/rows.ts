// Rows of the database as the code uses them. SQL names are snake_case; where a row stays within the server, `toCamel` is the one
// place that converts them. Rows that are sent as JSON keep the snake_case names that the specification gives the calls.

/** `userAgent` to `user_agent`. */
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${SnakeCase<Rest>}`
    : `_${Lowercase<First>}${SnakeCase<Rest>}`
  : Name

/** The row, with snake_case names, of an object with camelCase names. */
export type SnakeCased<Row> = Row extends unknown ? { [Key in keyof Row as Key extends string ? SnakeCase<Key> : Key]: Row[Key] } : never

const camelNames = new Map<string, string>()

/** The row with camelCase names. Nested values stay as they are. Give the type: `rows.map(toCamel<Session>)`. */
export function toCamel<Row extends object>(row: SnakeCased<Row>): Row {
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) result[camelName(name)] = value
  return result as Row
}

function camelName(name: string): string {
  let known = camelNames.get(name)
  if (known === undefined) {
    known = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    camelNames.set(name, known)
  }
  return known
}

/** The row of JSON whose `Instants` are texts: the database gives a Date for each. */
export type WithDates<Json, Instants extends keyof Json> = {
  [Key in keyof Json]: Key extends Instants ? Date | Extract<Json[Key], null> : Json[Key]
}

type DatesToText<Row> = { [Key in keyof Row]: Date extends Row[Key] ? Exclude<Row[Key], Date> | string : Row[Key] }

/** The row with each Date as its ISO 8601 text, as JSON has it. */
export function datesToText<Row extends object>(row: Row): DatesToText<Row> {
  const entries = Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value])
  return Object.fromEntries(entries) as DatesToText<Row>
}
