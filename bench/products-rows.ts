import pg from 'pg'

/**
 * Adds so many products, by SQL alone. Each has words of three kinds in both scripts: one of 20 (common), one of about
 * 1,500 (rare), and one that no other has. A word is syllables, chosen by the digits of a number.
 */
export async function fillProducts(url: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(WORDS)
    await client.query(PRODUCTS, [count])
    await client.query(MEDIA)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

const joined = (starts: string, vowels: readonly string[], ends: readonly string[]) =>
  starts.split(' ').flatMap((start) => vowels.flatMap((vowel) => ends.map((end) => start + vowel + end)))

/** 160 syllables of either script, about as varied as names of products. */
export const LATIN = joined('b d f g h j k l m n p r s sh t z', ['a', 'e', 'i', 'o', 'u'], ['', 'n'])
export const BENGALI = joined('ব দ ফ গ হ জ ক ল ম ন প র স শ ত চ', ['া', 'ে', 'ি', 'ো', 'ু'], ['', 'ন'])
const SYLLABLES = 160

/** The word of a number: its digits in base 160 as syllables. */
export function word(syllables: readonly string[], number: number, length: number): string {
  let rest = number
  let text = ''
  for (let at = 0; at < length; at++) {
    text += syllables[rest % SYLLABLES]
    rest = Math.floor(rest / SYLLABLES)
  }
  return text
}

const array = (texts: readonly string[]) => `array['${texts.join("','")}']`

const WORDS = `
create function pg_temp.word(syllables text[], number bigint, length int) returns text language sql immutable as $$
  select string_agg(syllables[1 + (number / (${SYLLABLES}::bigint ^ at)::bigint) % ${SYLLABLES}], '' order by at) from generate_series(0, length - 1) at
$$`

/** The ranges of numbers of the three kinds, which share no word. */
export const COMMON = { kinds: 20, length: 2, factor: 1_277 }
export const RARE = { kinds: 1_500, length: 3, factor: 2_729 }
export const OWN = { length: 4, factor: 6_007 }

const name = (syllables: string) => `
  initcap(pg_temp.word(${syllables}, (i % ${COMMON.kinds}) * ${COMMON.factor}, ${COMMON.length})) || ' '
  || pg_temp.word(${syllables}, (i * 7 % ${RARE.kinds}) * ${RARE.factor}, ${RARE.length}) || ' '
  || pg_temp.word(${syllables}, i::bigint * ${OWN.factor}, ${OWN.length})`

const PRODUCTS = `
insert into products (category_id, name_en, name_bn, description_en, description_bn, price_poisha, unit, status, sizes_milli, shipping_poisha,
  stock_milli, barcode, breed_en, breed_bn, weight_grams, weighed_on, delivery_on, note_en, note_bn)
select c.id, ${name(array(LATIN))}, ${name(array(BENGALI))}, repeat('Grown on our own land. ', 12), repeat('আমাদের নিজের জমিতে। ', 12),
  10000 + (i::bigint * 7919 % 20000) * 1000, case when c.delivery_group = 'cattle' then 'piece' else 'kg' end,
  (array['in-stock', 'in-stock', 'in-stock', 'in-stock', 'in-stock', 'in-stock', 'pre-book', 'hold', 'out-of-stock', 'sold'])[1 + (i / 13) % 10],
  case when c.delivery_group = 'cattle' then '{}'::int[] else '{5000,10000,20000}' end, 8000, 1000000000, '77' || lpad(i::text, 9, '0'),
  'Shahiwal cross', 'শাহীওয়াল সংকর', case when c.delivery_group = 'cattle' then 200000 + i % 90000 end,
  case when c.delivery_group = 'cattle' then current_date end, current_date + 5, 'Fresh from the field', 'ক্ষেত থেকে'
from generate_series(1, $1::int) i
join (select id, delivery_group, row_number() over (order by id) - 1 as place, count(*) over () as kinds from categories where slug <> 'home') c
  on c.place = i % c.kinds`

const MEDIA = `
insert into product_media (product_id, position, kind, image_id)
select p.id, place, 'image', i.id
from products p cross join generate_series(1, 2) place
join (select id, row_number() over (order by id) - 1 as at, count(*) over () as kinds from images) i on i.at = (p.id * 3 + place) % i.kinds
where p.barcode like '77%' and length(p.barcode) = 11`
