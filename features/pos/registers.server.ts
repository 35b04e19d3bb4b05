import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'

/** A register to choose when a shift is opened. */
export interface RegisterChoice {
  name: string
  /** The cash counted at the end of the last shift in this drawer, in poisha; null without one, or where counts are hidden. */
  last_count: number | null
  /** The cashier whose shift is open here; null when the drawer is free. */
  open_by: string | null
}

/** The registers by name, at most 100. */
export async function listRegisters(db: Db, { isBlind }: { isBlind: boolean }): Promise<RegisterChoice[]> {
  const { rows } = await sql<RegisterChoice>`
    select r.name, u.name as open_by, case when not ${isBlind} then last.counted end as last_count
    from pos_registers r
      left join pos_shifts o on o.register_id = r.id and o.closed_at is null
      left join users u on u.id = o.cashier_id
      left join lateral (select counted_cash_poisha as counted from pos_shifts
        where register_id = r.id and closed_at is not null order by closed_at desc, id desc limit 1) last on true
    order by lower(r.name) limit 100`.execute(db)
  return rows
}

/** The register of this name, created at its first use; upper and lower case are equal. Null for an empty name. */
export async function getRegister(tx: Db, name: string): Promise<{ id: number; name: string } | null> {
  const trimmed = name.trim()
  if (trimmed === '') return null
  const { rows } = await sql<{ id: number; name: string }>`
    insert into pos_registers (name) values (${trimmed})
    on conflict (lower(name)) do update set name = pos_registers.name returning id, name`.execute(tx)
  return rows[0]!
}

/** The cashier whose shift is open at a register; null when none is. */
export async function findRegisterHolder(db: Db, name: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select u.name from pos_registers r join pos_shifts s on s.register_id = r.id and s.closed_at is null join users u on u.id = s.cashier_id
    where lower(r.name) = lower(${name.trim()})`.execute(db)
  return rows[0]?.name ?? null
}
