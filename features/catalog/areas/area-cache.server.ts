import { sql } from 'kysely'
import type { DeliveryGroup } from '#features/catalog/types.ts'
import { type Revision, RevisionCache } from '#lib/async/revision-cache.ts'
import type { Db } from '#lib/db/db.server.ts'

/** The delivery charge of a group in an area: poisha, 'closed', or null where the product's own charge applies. */
export type AreaCharge = number | 'closed' | null

export interface AreaFacts {
  id: number
  name_en: string
  name_bn: string
  cattle: AreaCharge
  produce: AreaCharge
}

/** The names of an area, active or not. */
export type AreaNames = Pick<AreaFacts, 'id' | 'name_en' | 'name_bn'>

/** Areas, read once per revision of the catalog. */
export class AreaCache {
  readonly #active: RevisionCache<Map<number, AreaFacts>>
  readonly #names: RevisionCache<AreaNames[]>

  constructor(db: Db, revision: Revision) {
    this.#active = new RevisionCache(revision, () => readAreas(db))
    this.#names = new RevisionCache(revision, async () => {
      const { rows } = await sql<AreaNames>`select id, name_en, name_bn from areas order by position, id`.execute(db)
      return rows
    })
  }

  /** Active areas by id. */
  active(): Promise<Map<number, AreaFacts>> {
    return this.#active.get()
  }

  /** All areas in their order. Inactive ones are included: older orders name them. */
  names(): Promise<AreaNames[]> {
    return this.#names.get()
  }

  invalidate(): void {
    this.#active.invalidate()
    this.#names.invalidate()
  }
}

async function readAreas(db: Db): Promise<Map<number, AreaFacts>> {
  const { rows } = await sql<
    Omit<AreaFacts, 'cattle' | 'produce'> & { charges: { group: DeliveryGroup; open: boolean; poisha: number | null }[] }
  >`
    select a.id, a.name_en, a.name_bn, coalesce((select json_agg(json_build_object('group', g.delivery_group, 'open', g.is_open, 'poisha', g.charge_poisha))
      from area_charges g where g.area_id = a.id), '[]') as charges
    from areas a where a.active`.execute(db)
  return new Map(
    rows.map(({ charges, ...area }) => {
      const charge = (group: DeliveryGroup): AreaCharge => {
        const found = charges.find((c) => c.group === group)
        if (!found) return null
        return found.open ? found.poisha : 'closed'
      }
      return [area.id, { ...area, cattle: charge('cattle'), produce: charge('produce') }]
    }),
  )
}
