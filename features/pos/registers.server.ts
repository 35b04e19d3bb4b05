import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'

/** A register to choose when a shift is opened. */
export interface RegisterChoice {
  id: number
  name: string
  /** The cash counted at the end of the last shift in this drawer, in poisha; null without one, or where counts are hidden. */
  last_count: number | null
  /** The cashier whose shift is open here; null when the drawer is free. */
  open_by: string | null
}

/** The registers that are switched on, by name, at most 100. */
export async function listRegisters(db: Db, { isBlind }: { isBlind: boolean }): Promise<RegisterChoice[]> {
  const { rows } = await sql<RegisterChoice>`
    select r.id, r.name, u.name as open_by, case when not ${isBlind} then last.counted end as last_count
    from pos_registers r
      left join pos_shifts o on o.register_id = r.id and o.closed_at is null
      left join users u on u.id = o.cashier_id
      left join lateral (select counted_cash_poisha as counted from pos_shifts
        where register_id = r.id and closed_at is not null order by closed_at desc, id desc limit 1) last on true
    where r.active order by lower(r.name), r.id limit 100`.execute(db)
  return rows
}

/** A register as managers see it. */
export interface RegisterRecord {
  id: number
  name: string
  active: boolean
  version: number
  /** The cashier whose shift is open here; null when none is. */
  open_by: string | null
  /** When the last shift was opened here; null before the first one. */
  last_opened: string | null
}

/** All registers by name, switched-off ones included, at most 500. */
export function listRegisterRecords(db: Db): Promise<RegisterRecord[]> {
  return readRecords(db, null)
}

export async function findRegisterRecord(db: Db, id: number): Promise<RegisterRecord | null> {
  return (await readRecords(db, id))[0] ?? null
}

async function readRecords(db: Db, id: number | null): Promise<RegisterRecord[]> {
  const { rows } = await sql<{ register: RegisterRecord }>`
    select json_build_object('id', r.id, 'name', r.name, 'active', r.active, 'version', r.version,
      'open_by', (select u.name from pos_shifts s join users u on u.id = s.cashier_id where s.register_id = r.id and s.closed_at is null),
      'last_opened', (select max(opened_at) from pos_shifts where register_id = r.id)) as register
    from pos_registers r where ${id}::bigint is null or r.id = ${id} order by lower(r.name), r.id limit 500`.execute(db)
  return rows.map(({ register }) => register)
}

/** A register to filter by. */
export interface RegisterName {
  id: number
  name: string
}

/** All registers, to filter lists by. */
export async function listRegisterNames(db: Db): Promise<RegisterName[]> {
  const { rows } = await sql<RegisterName>`select id, name from pos_registers order by lower(name), id limit 500`.execute(db)
  return rows
}

/**
 * The register of this name, created at its first use; upper and lower case are equal. Null for an empty name. The row stays locked, so
 * that it is not switched off before the shift is written.
 */
export async function findOrCreateRegister(tx: Db, name: string): Promise<{ id: number; name: string; active: boolean } | null> {
  const trimmed = name.trim()
  if (trimmed === '') return null
  const { rows } = await sql<{ id: number; name: string; active: boolean }>`
    insert into pos_registers (name) values (${trimmed})
    on conflict (lower(name)) do update set name = pos_registers.name returning id, name, active`.execute(tx)
  return rows[0]!
}

/** The cashier whose shift is open at a register; null when none is. */
export async function findRegisterHolder(db: Db, name: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select u.name from pos_registers r join pos_shifts s on s.register_id = r.id and s.closed_at is null join users u on u.id = s.cashier_id
    where lower(r.name) = lower(${name.trim()})`.execute(db)
  return rows[0]?.name ?? null
}
