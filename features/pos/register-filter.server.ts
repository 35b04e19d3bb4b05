import type { Db } from '#lib/db/db.server.ts'
import { listRegisterNames, type RegisterName } from './registers.server.ts'

/** The registers to filter a list by. */
export interface RegisterFilter {
  registers: RegisterName[]
  /** Null: the list has all registers. */
  chosen: RegisterName | null
}

/** The register that the query parameter `register` names; a number of no register filters nothing. */
export async function readRegisterFilter(db: Db, text: string | undefined): Promise<RegisterFilter> {
  const registers = await listRegisterNames(db)
  return { registers, chosen: registers.find(({ id }) => String(id) === text) ?? null }
}
