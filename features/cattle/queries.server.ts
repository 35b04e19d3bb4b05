import { sql } from 'kysely'
import type { Db } from '#lib/db.server.ts'
import type { Poisha } from '#lib/money.ts'
import { latinDigits } from '#lib/numbers.ts'
import { dhakaDate } from '#lib/time.ts'

/** An animal at the scale. */
export interface ScaleAnimal {
  id: number
  tag_number: string
  name_en: string
  name_bn: string
  status: string
  weight_kg: number | null
  weighed_on: string | null
  picture_url: string | null
  /** The live order that holds it. */
  order_id: number | null
}

const animalColumns = sql`p.id, p.tag_number, p.name_en, p.name_bn, p.status, p.weight_grams / 1000.0::float8 as weight_kg, p.weighed_on,
  (select '/uploads/' || i.token || '-' || i.widths[1] || '.webp' from product_media m join images i on i.id = m.image_id
    where m.product_id = p.id order by m.position limit 1) as picture_url,
  (select c.order_id from animal_claims c where c.product_id = p.id) as order_id`

const scaleColumns = sql`${animalColumns},
  (select jsonb_build_object('rate', l.booked_rate_poisha, 'grams', coalesce((select s.new_grams from settlements s
      where s.order_id = l.order_id and s.product_id = p.id order by s.at desc, s.weigh_in_id desc limit 1), l.booked_grams))
    from animal_claims c join order_lines l on l.order_id = c.order_id and l.product_id = c.product_id
    where c.product_id = p.id and l.booked_rate_poisha > 0 and l.booked_grams > 0) as booking`

/** Animals whose tag begins with the text, whatever its case; the exact one first, at most ten. */
export async function findByTag(db: Db, text: string): Promise<AnimalOnScale[]> {
  const tag = latinDigits(text.trim()).toUpperCase()
  if (!/^[0-9A-Z-]{1,20}$/.test(tag)) return []
  const { rows } = await sql<AnimalOnScale>`
    select ${scaleColumns} from products p
    where p.is_unique and upper(p.tag_number) like ${`${tag}%`} order by upper(p.tag_number) using ~<~ limit 10`.execute(db)
  return rows
}

export async function findScaleAnimal(db: Db, id: number): Promise<AnimalOnScale | null> {
  const { rows } = await sql<AnimalOnScale>`select ${scaleColumns} from products p where p.id = ${id} and p.is_unique`.execute(db)
  return rows[0] ?? null
}

/** The animal that is being weighed. */
export interface AnimalOnScale extends ScaleAnimal {
  /** The rate it is booked at, in poisha a kilogram, and the weight its order was reckoned by last; null when it is not booked by weight. */
  booking: { rate: Poisha; grams: number } | null
}

/** A booked animal whose final weighing has come near. */
export interface DueWeighing extends ScaleAnimal {
  /** The last day for it. */
  due_on: string
  customer: string
}

const MOST_DUE = 200
/** So many days ahead the list shows what is coming. */
const LOOK_AHEAD_DAYS = 2

/** The booked animals to be weighed for the last time, the most urgent first. */
export async function listDueWeighings(db: Db, now: Date): Promise<DueWeighing[]> {
  const { rows } = await sql<DueWeighing>`
    select ${animalColumns}, o.name as customer, o.deliver_on - c.final_weighing_days as due_on
    from orders o join order_lines l on l.order_id = o.id and l.booked_rate_poisha is not null
    join products p on p.id = l.product_id join categories c on c.id = p.category_id
    where o.status in ('placed', 'processing') and c.final_weighing_days is not null
      and o.deliver_on - c.final_weighing_days <= ${dhakaDate(now)}::date + ${LOOK_AHEAD_DAYS}::int
      and not exists (select 1 from settlements s where s.order_id = o.id and s.product_id = p.id)
    order by due_on, p.tag_number limit ${MOST_DUE}`.execute(db)
  return rows
}

export interface RecentWeighIn {
  id: number
  product_id: number
  tag_number: string
  weighed_on: string
  kg: number
  method: 'scale' | 'tape' | 'estimate'
  weighed_by: string
}

/** The weighings of the last days, newest first. */
export async function listRecentWeighIns(db: Db): Promise<RecentWeighIn[]> {
  const { rows } = await sql<RecentWeighIn>`
    select w.id, w.product_id, p.tag_number, w.weighed_on, w.grams / 1000.0::float8 as kg, w.method, w.weighed_by
    from weigh_ins w join products p on p.id = w.product_id order by w.id desc limit 8`.execute(db)
  return rows
}
