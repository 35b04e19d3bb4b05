// Generates products for benchmarks: two of five are animals, the others are sold by weight.
import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { withoutTimeouts } from '../long-transaction.ts'
import { KURBANI_SEASON } from '../demo/categories.ts'
import { GENERATED_TEXT } from '../demo/generated.ts'
import { ean13 } from '#lib/codes/ean.ts'
import { ANIMALS, PRODUCE, wordPair } from './names.ts'

const BATCH = 10_000

/** Inserts `count` products with new names and barcodes. */
export async function addProducts(db: Db, count: number, log: (line: string) => void): Promise<void> {
  // Numbering continues after an earlier run.
  const { rows } = await sql<{ n: number }>`
    select coalesce(max(substr(barcode, 3, 10)::bigint) + 1, 0)::int as n from products where barcode ~ '^21[0-9]{11}$'`.execute(db)
  const first = rows[0]!.n
  for (let done = 0; done < count; done += BATCH) {
    const size = Math.min(BATCH, count - done)
    await withoutTimeouts(db, async (tx) => {
      const ids = await insertProducts(
        tx,
        Array.from({ length: size }, (_, k) => productFor(first + done + k)),
      )
      await addMedia(tx, ids)
      await addWeighIns(tx, ids)
    })
    log(`${done + size} of ${count} products`)
  }
}

function productFor(i: number) {
  const word = wordPair(i)
  const hash = (i * 2654435761) % 4294967296
  const shared = {
    barcode: ean13(`21${String(i).padStart(10, '0')}`),
    status: (['pre-book', 'hold', 'out-of-stock', 'sold'] as const)[hash % 20] ?? 'in-stock',
    age: hash % 700,
  }
  if (i % 5 < 2) {
    const kind = ANIMALS[hash % 3]!
    const isKurbani = i % 5 === 0
    const grams = isKurbani ? 200_000 + (hash % 500) * 500 : 150_000 + (hash % 400) * 500
    return {
      ...shared,
      is_animal: true,
      category_id: isKurbani ? 4 : 2,
      name_en: `${word.en} ${kind.en}`,
      name_bn: `${word.bn} ${kind.bn}`,
      price_poisha: 0,
      grams,
      season: isKurbani ? KURBANI_SEASON : '',
      tag: `T-${i}`,
    }
  }
  const produce = PRODUCE[hash % PRODUCE.length]!
  return {
    ...shared,
    is_animal: false,
    category_id: produce.categoryId,
    name_en: `${word.en} ${produce.en}`,
    name_bn: `${word.bn} ${produce.bn}`,
    price_poisha: (produce.taka + (hash % 60)) * 100,
    grams: null,
    season: '',
    tag: null,
  }
}

async function insertProducts(db: Db, products: ReturnType<typeof productFor>[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into products (category_id, name_en, name_bn, description_en, description_bn, price_poisha, unit, status, hold_reason, sizes_milli,
      shipping_poisha, advance_minimum_poisha, advance_round_poisha, is_unique, stock_milli, barcode, tag_number, breed_en, breed_bn, coat, teeth,
      sold_by_live_weight, weight_grams, weighed_on, season, delivery_on, created_at)
    select b.category_id, b.name_en, b.name_bn, ${GENERATED_TEXT.en}, ${GENERATED_TEXT.bn},
      coalesce(round(b.grams / 1000.0 * r.poisha_per_kg / 100) * 100, b.price_poisha), case when b.is_animal then 'piece' else 'kg' end,
      b.status, case when b.status = 'hold' then 'soon' end, case when b.is_animal then '{}' else '{5000,10000,20000}'::int[] end,
      case when b.is_animal then 150000 else 8000 end, case when b.is_animal then 1000000 else 0 end, case when b.is_animal then 50000 else 0 end,
      b.is_animal, case when b.status in ('out-of-stock', 'sold') then 0 when b.is_animal then 1000 when b.age % 2 = 0 then 100000000 end,
      b.barcode, b.tag, case when b.is_animal then 'Deshi' end, case when b.is_animal then 'দেশি' end, case when b.is_animal then 'red' end,
      case when b.is_animal then 2 end, b.is_animal, b.grams, case when b.is_animal then current_date - 3 end, b.season,
      current_date + 3 + b.age % 20, now() - make_interval(days => b.age)
    from jsonb_to_recordset(${JSON.stringify(products)}::jsonb) as b(is_animal boolean, category_id int, name_en text, name_bn text,
      price_poisha bigint, grams int, season text, tag text, barcode text, status text, age int)
    left join lateral (select poisha_per_kg from rate_tiers t where b.is_animal and t.category_id = b.category_id and t.season = b.season
      and t.from_grams <= b.grams order by t.from_grams desc limit 1) r on true
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Each product shows one of the stored pictures. */
async function addMedia(db: Db, ids: number[]): Promise<void> {
  await sql`
    insert into product_media (product_id, position, kind, image_id)
    select id, 0, 'image', pictures.ids[1 + id % cardinality(pictures.ids)]
    from unnest(${ids}::bigint[]) id, (select array_agg(i.id order by i.id) as ids from images i where width = 800) pictures
    where pictures.ids is not null`.execute(db)
}

async function addWeighIns(db: Db, ids: number[]): Promise<void> {
  await sql`
    insert into weigh_ins (product_id, weighed_on, grams)
    select p.id, p.weighed_on - back * 20, p.weight_grams - back * 12000
    from products p, generate_series(0, 2) back where p.id = any(${ids}::bigint[]) and p.is_unique`.execute(db)
}
