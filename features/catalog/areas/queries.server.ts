// The only reader of areas and their delivery charges. The cache, the public JSON and the admin form convert what it reads.
import type { AreaCharge, AreaJson } from '#features/catalog/types.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'

/** An area with its delivery charges. */
export interface Area {
  id: number
  name_en: string
  name_bn: string
  active: boolean
  position: number
  version: number
  /** The weekdays without delivery, 0 for Sunday. */
  closed_weekdays: number[]
  cattle: AreaCharge
  produce: AreaCharge
}

/** All areas in the order that shoppers see, inactive ones included. */
export async function readAreas(db: Db): Promise<Area[]> {
  const rows = await db
    .selectFrom('areas as a')
    .leftJoin('area_charges as c', (join) => join.onRef('c.area_id', '=', 'a.id').on('c.delivery_group', '=', 'cattle'))
    .leftJoin('area_charges as p', (join) => join.onRef('p.area_id', '=', 'a.id').on('p.delivery_group', '=', 'produce'))
    .select(['a.id', 'a.name_en', 'a.name_bn', 'a.active', 'a.position', 'a.version', 'a.closed_weekdays'])
    .select([
      'c.is_open as cattle_open',
      'c.charge_poisha as cattle_poisha',
      'p.is_open as produce_open',
      'p.charge_poisha as produce_poisha',
    ])
    .orderBy('a.position')
    .orderBy('a.id')
    .execute()
  return rows.map(({ cattle_open, cattle_poisha, produce_open, produce_poisha, ...area }) => ({
    ...area,
    cattle: cattle_open === false ? 'closed' : cattle_poisha,
    produce: produce_open === false ? 'closed' : produce_poisha,
  }))
}

/** The areas with names in the reader's language. */
export async function listAreas(db: Db, onlyActive: boolean, lang: Lang): Promise<AreaJson[]> {
  const inTaka = (charge: AreaCharge) => (charge === 'closed' ? false : charge === null ? null : charge / 100)
  const areas = await readAreas(db)
  return areas
    .filter(({ active }) => active || !onlyActive)
    .map(({ id, name_en, name_bn, cattle, produce, closed_weekdays }) => ({
      id,
      area_name: lang === 'bn' ? name_bn : name_en,
      cattle_charge: inTaka(cattle),
      produce_charge: inTaka(produce),
      ...(closed_weekdays.length > 0 ? { closed_weekdays } : {}),
    }))
}

/** A delivery area in the admin form; charges in taka. */
export interface AreaRecord extends Omit<Area, 'cattle' | 'produce'> {
  cattle: GroupCharge
  produce: GroupCharge
}

export interface GroupCharge {
  kind: 'own' | 'closed' | 'set'
  charge: number | null
}

/** All areas for the admin. */
export async function listAreaRecords(db: Db): Promise<AreaRecord[]> {
  return (await readAreas(db)).map((area) => ({ ...area, cattle: toGroupCharge(area.cattle), produce: toGroupCharge(area.produce) }))
}

export async function findAreaRecord(db: Db, id: number): Promise<AreaRecord | null> {
  return (await listAreaRecords(db)).find((area) => area.id === id) ?? null
}

function toGroupCharge(charge: AreaCharge): GroupCharge {
  if (charge === null) return { kind: 'own', charge: null }
  return charge === 'closed' ? { kind: 'closed', charge: null } : { kind: 'set', charge: charge / 100 }
}
