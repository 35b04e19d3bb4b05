import { sql } from 'kysely'
import { largestFileUrl, smallestFileUrl } from '#features/catalog/media/picture-columns.server.ts'
import type { WeighingMethod } from '#features/catalog/types.ts'
import {
  FINAL_WEIGHING,
  FINAL_WEIGHING_STATE,
  hasBookedAnimal,
  SOLD_BY_WEIGHT,
  WEIGHING_COUNTS_FROM,
  WEIGHING_DUE_ON,
} from '#features/orders/status/final-weighing.server.ts'
import { IS_TO_SEND } from '#features/orders/status-conditions.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { latinCode } from '#lib/format/latin-code.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { foldText } from '#lib/format/text.ts'
import { dhakaDate } from '#lib/format/time.ts'

/** An animal on the weigh-in page. */
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
  (select ${smallestFileUrl} from product_media m join images i on i.id = m.image_id
    where m.product_id = p.id order by m.position limit 1) as picture_url,
  (select c.order_id from animal_holds c where c.product_id = p.id) as order_id`

/** The tag of an animal `p` without hyphens. */
const TAG_CODE = sql`replace(upper(p.tag_number), '-', '')`
/** The same from its first digit on, as the index `products_tag_number` has it. */
const TAG_NUMBER = sql`ltrim(${TAG_CODE}, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')`

/**
 * The animal of a whole tag, or of a barcode as on its label; else at most ten animals whose tag is the text but for hyphens or spaces, has the text as
 * its whole number, or starts with the text. In any case, digits of both scripts, and Bengali letters for the Latin ones.
 */
export async function findByTag(db: Db, text: string): Promise<ScaleAnimal[]> {
  const folded = foldText(text.trim()).replaceAll(/\s+/g, '-')
  const barcode = latinDigits(text.trim())
  const tag = (latinCode(folded) ?? folded).toUpperCase()
  if (!/^[0-9A-Z-]{1,20}$/.test(tag)) return []
  // A scan is a whole tag or barcode.
  const { rows: whole } = await sql<ScaleAnimal>`select ${animalColumns} from products p
    where p.is_unique and (upper(p.tag_number) = ${tag} or p.barcode = ${barcode})
    order by upper(p.tag_number) = ${tag} desc nulls last limit 1`.execute(db)
  if (whole.length > 0) return whole
  const code = tag.replaceAll('-', '')
  const isNumber = /^\d+$/.test(code)
  const isWhole = sql<boolean>`(${TAG_NUMBER} = ${code.replace(/^[A-Z]+/, '')} and (${isNumber} or ${TAG_CODE} = ${code}))`
  const { rows } = await sql<ScaleAnimal>`select ${animalColumns} from products p
    where p.is_unique and (upper(p.tag_number) like ${`${tag}%`} or ${isWhole})
    order by ${isWhole} desc, upper(p.tag_number) using ~<~ limit 10`.execute(db)
  return rows
}

export async function findScaleAnimal(db: Db, id: number): Promise<ScaleAnimal | null> {
  const { rows } = await sql<ScaleAnimal>`select ${animalColumns} from products p where p.id = ${id} and p.is_unique`.execute(db)
  return rows[0] ?? null
}

/** A booked animal whose final weighing is due soon. */
export interface DueWeighing extends ScaleAnimal {
  /** The last day for the final weighing. */
  due_on: string
  customer: string
}

const MAX_DUE = 200

/** Booked animals without a final weigh-in, the most urgent `limit` first, and the number of all. */
export async function listDueWeighings(db: Db, now: Date, limit = MAX_DUE): Promise<{ rows: DueWeighing[]; total: number }> {
  const { rows } = await sql<DueWeighing & { total: number }>`
    select ${animalColumns}, o.name as customer, ${WEIGHING_DUE_ON} as due_on, count(*) over ()::int as total
    from orders o join order_lines l on l.order_id = o.id ${FINAL_WEIGHING}
    where ${hasBookedAnimal(IS_TO_SEND)} and ${SOLD_BY_WEIGHT} and c.final_weighing_days is not null
      and ${WEIGHING_COUNTS_FROM} <= ${dhakaDate(now)}::date
      and ${FINAL_WEIGHING_STATE} = 'missing'
    order by due_on, p.tag_number limit ${limit}`.execute(db)
  return { rows: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 }
}

export interface RecentWeighIn {
  id: number
  product_id: number
  tag_number: string
  weighed_on: string
  kg: number
  method: WeighingMethod
  weighed_by: string
  /** The photo of the scale. */
  picture_url: string | null
}

/** The last eight weigh-ins, newest first. */
export async function listRecentWeighIns(db: Db): Promise<RecentWeighIn[]> {
  const { rows } = await sql<RecentWeighIn>`
    select w.id, w.product_id, p.tag_number, w.weighed_on, w.grams / 1000.0::float8 as kg, w.method, w.weighed_by,
      (select ${largestFileUrl} from images i where i.id = w.image_id) as picture_url
    from weigh_ins w join products p on p.id = w.product_id order by w.id desc limit 8`.execute(db)
  return rows
}

/** A weigh-in of the animal on the scale. */
export type AnimalWeighIn = Omit<RecentWeighIn, 'product_id' | 'tag_number'> & {
  /** An order was settled by it. */
  is_settled: boolean
}

const MAX_OF_ANIMAL = 50

/** The last weigh-ins of an animal, newest first. */
export async function listWeighInsOfAnimal(db: Db, animalId: number): Promise<AnimalWeighIn[]> {
  const { rows } = await sql<AnimalWeighIn>`
    select w.id, w.weighed_on, w.grams / 1000.0::float8 as kg, w.method, w.weighed_by,
      (select ${largestFileUrl} from images i where i.id = w.image_id) as picture_url,
      exists (select 1 from settlements s where s.weigh_in_id = w.id) as is_settled
    from weigh_ins w where w.product_id = ${animalId} order by w.weighed_on desc, w.id desc limit ${MAX_OF_ANIMAL}`.execute(db)
  return rows
}

/** Days between the final weighing and the delivery of an order's animals, the most of them; null without one that is not settled. */
export async function findFinalWeighingDays(db: Db, orderId: number): Promise<number | null> {
  const { rows } = await sql<{ days: number | null }>`
    select max(c.final_weighing_days) as days from orders o join order_lines l on l.order_id = o.id ${FINAL_WEIGHING}
    where o.id = ${orderId} and c.delivery_group = 'cattle' and ${SOLD_BY_WEIGHT} and ${FINAL_WEIGHING_STATE} <> 'settled'`.execute(db)
  return rows[0]?.days ?? null
}
