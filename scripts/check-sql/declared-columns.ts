// The types that `Database` of db/types.ts declares for reading a column.
import path from 'node:path'
import ts from 'typescript'

export class DeclaredColumns {
  readonly #checker: ts.TypeChecker
  readonly #tables: ts.Type

  constructor(program: ts.Program, root: string) {
    this.#checker = program.getTypeChecker()
    const file = program.getSourceFile(path.join(root, 'db/types.ts'))!
    const database = this.#checker.getExportsOfModule(this.#checker.getSymbolAtLocation(file)!).find(({ name }) => name === 'Database')!
    this.#tables = this.#checker.getDeclaredTypeOfSymbol(database)
  }

  /** The type of `table.column`; null when there is none. */
  typeOf(name: string): ts.Type | null {
    const [table, column] = name.split('.') as [string, string]
    const row = this.#property(this.#tables, table)
    const type = row && this.#property(row, column)
    return type ? (this.#property(type, '__select__') ?? type) : null
  }

  #property(type: ts.Type, name: string): ts.Type | null {
    const symbol = this.#checker.getPropertyOfType(type, name)
    return symbol ? this.#checker.getTypeOfSymbol(symbol) : null
  }
}
