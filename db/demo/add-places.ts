import type { Db } from '#lib/db/db.server.ts'
import { AREAS } from './places.ts'

/** Adds the areas that the migrations did not create. */
export async function addPlaces(tx: Db): Promise<void> {
  const known = await tx.selectFrom('areas').select('name_en').execute()
  const missing = AREAS.map((area, position) => ({ ...area, position })).filter(
    ({ name }) => !known.some(({ name_en }) => name_en === name.en),
  )
  if (missing.length === 0) return
  const areas = await tx
    .insertInto('areas')
    .values(missing.map(({ name, position }) => ({ name_en: name.en, name_bn: name.bn, position })))
    .returning(['id', 'name_en'])
    .execute()
  const ids = new Map(areas.map((area) => [area.name_en, area.id]))
  await tx
    .insertInto('area_charges')
    .values(
      missing.flatMap(({ name, cattle, produce }) => [
        {
          area_id: ids.get(name.en)!,
          delivery_group: 'cattle',
          is_open: cattle !== 'closed',
          charge_poisha: cattle === 'closed' ? null : cattle * 100,
        },
        { area_id: ids.get(name.en)!, delivery_group: 'produce', is_open: true, charge_poisha: produce * 100 },
      ]),
    )
    .execute()
}
