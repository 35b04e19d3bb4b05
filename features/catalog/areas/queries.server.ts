import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'

/** A delivery area as the admin edits it; charges in taka. */
export interface AreaRecord {
  id: number
  name_en: string
  name_bn: string
  active: boolean
  position: number
  version: number
  cattle: GroupCharge
  produce: GroupCharge
}

export interface GroupCharge {
  kind: 'own' | 'closed' | 'set'
  charge: number | null
}

const charge = (group: 'cattle' | 'produce') => sql`coalesce(
  (select json_build_object('kind', case when not g.is_open then 'closed' when g.charge_poisha is null then 'own' else 'set' end,
    'charge', case when g.is_open then g.charge_poisha / 100.0 end)
   from area_charges g where g.area_id = a.id and g.delivery_group = ${group}), '{"kind":"own","charge":null}'::json)`

const columns = sql`a.id, a.name_en, a.name_bn, a.active, a.position, a.version, ${charge('cattle')} as cattle, ${charge('produce')} as produce`

/** Every area, also those not delivered to, in the order that shoppers see. */
export async function listAreaRecords(db: Db): Promise<AreaRecord[]> {
  const { rows } = await sql<AreaRecord>`select ${columns} from areas a order by a.position, a.id`.execute(db)
  return rows
}

export async function findAreaRecord(db: Db, id: number): Promise<AreaRecord | null> {
  const { rows } = await sql<AreaRecord>`select ${columns} from areas a where a.id = ${id}`.execute(db)
  return rows[0] ?? null
}
