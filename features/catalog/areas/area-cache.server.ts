import { type Revision, RevisionCache } from '#lib/async/revision-cache.ts'
import type { Db } from '#lib/db/db.server.ts'
import { type Area, readAreas } from './queries.server.ts'

/** An area that orders are delivered to. */
export type CachedArea = Pick<Area, 'id' | 'name_en' | 'name_bn' | 'cattle' | 'produce' | 'closed_weekdays'>

/** The names of an area, active or not. */
export type AreaNames = Pick<Area, 'id' | 'name_en' | 'name_bn'>

/** Areas, read once per revision of the catalog. */
export class AreaCache {
  readonly #areas: RevisionCache<{ active: Map<number, CachedArea>; all: AreaNames[] }>

  constructor(db: Db, revision: Revision) {
    this.#areas = new RevisionCache(revision, async () => {
      const areas = await readAreas(db)
      const active = areas.filter((area) => area.active).map((area): [number, CachedArea] => [area.id, area])
      return { active: new Map(active), all: areas.map(({ id, name_en, name_bn }) => ({ id, name_en, name_bn })) }
    })
  }

  /** Active areas by id. */
  async active(): Promise<Map<number, CachedArea>> {
    return (await this.#areas.get()).active
  }

  /** All areas in their order. Inactive ones are included: older orders name them. */
  async names(): Promise<AreaNames[]> {
    return (await this.#areas.get()).all
  }

  invalidate(): void {
    this.#areas.invalidate()
  }
}
